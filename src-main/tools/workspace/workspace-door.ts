// The one interface to files: a pinned folder whose paths are walked component by component and never through a link.
// One file a form implements it: descriptor-door (posix-calls or proc-calls) and checked-door. All calls are synchronous
// and run on the main thread only for small work; workspace.ts decides what goes to the files worker.
import type { WorkspaceIdentity } from '../../engine/ports.ts';

/** How strongly a form holds: descriptor (no race), proc (no race, slower), checked (identity compared before and after). */
export type DoorGuarantee = WorkspaceIdentity['guarantee'];

/**
 * A path that the door can walk: checked components below the workspace root, or below the filesystem root when the
 * path lies outside (then the caller has an approval for it).
 */
export interface DoorPath {
  readonly base: 'root' | 'filesystem';
  readonly parts: readonly string[];
  /** As people and models read it: relative with `/` inside (`.` for the root itself), absolute outside. */
  readonly shown: string;
}

/** What identifies the bytes and the inode of a file. Sizes in bytes, times in nanoseconds, sha256 in hex. */
export interface FileVersion {
  readonly dev: string;
  readonly ino: string;
  readonly size: number;
  readonly mtimeNs: string;
  /** Permission bits, 12 of them. */
  readonly mode: number;
  readonly links: number;
  readonly uid: number;
  readonly gid: number;
  readonly sha256: string;
}

export type EntryType = 'file' | 'folder' | 'link' | 'other';

/** One name in a folder. `unreadableName` = the name is no UTF-8; `name` then shows its odd bytes as \xNN. */
export interface FolderEntry {
  readonly name: string;
  readonly type: EntryType;
  readonly unreadableName: boolean;
}

/** The names in a folder. `stamp` is another one whenever they are others; null = nothing can tell. */
export interface FolderListing {
  readonly stamp: string | null;
  readonly entries: readonly FolderEntry[];
}

/** What stands at a path, without following a link. */
export interface PathState {
  readonly type: EntryType;
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly dev: string;
  readonly ino: string;
}

/** A file as read: all of its bytes, and the version that they are. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly version: FileVersion;
}

/** What a publish did. `atomic` is false where the file system has no exchange and the swap was check, then rename. */
export interface Published {
  readonly version: FileVersion;
  readonly atomic: boolean;
  /** Folders that had to be made, shown paths. */
  readonly madeFolders: readonly string[];
}

/** What a sweep found beside a file: temps that were removed, and names under which another party's bytes were kept. */
export interface Swept {
  readonly removed: number;
  readonly kept: readonly string[];
}

export interface WorkspaceDoor {
  readonly guarantee: DoorGuarantee;
  /** Opens a regular file for reading; the caller closes the descriptor. workspace.* errors. */
  openFile(path: DoorPath): number;
  /** All of a file. workspace.too-large above `maxBytes`. */
  read(path: DoorPath, maxBytes: number): FileContent;
  /** The names in a folder, in no order. */
  list(path: DoorPath): FolderEntry[];
  /** The same, with their stamp; null when `known` is their stamp. */
  listChanged(path: DoorPath, known: string | null): FolderListing | null;
  /** null when nothing is there. */
  stat(path: DoorPath): PathState | null;
  /**
   * Puts bytes at a path in one step: `expected` = the version that must be there still, null = nothing must be there.
   * workspace.conflict leaves the other party's bytes in place.
   */
  publish(path: DoorPath, bytes: Uint8Array, expected: FileVersion | null): Published;
  /**
   * Removes what a publish of this file that a crash cut has left. `base` = sha256 of the bytes that it stood on, null = it
   * made a new file. Temps of a process that lives stay.
   */
  sweep(path: DoorPath, base: string | null): Swept;
  /**
   * Gives whatever stands at a path a name beside it that nothing looks for; gives the new shown path. null = nothing is
   * there.
   */
  setAside(path: DoorPath): string | null;
  close(): void;
}
