// The door for whoever keeps and puts back whole trees: also links, modes, empty folders and names that are no UTF-8. Paths
// are DoorPaths whose parts nameOf made. Nothing here follows a link, and nothing is removed but what was expected there.
import { AppError } from '../../base/app-error.ts';
import type { DoorPath, EntryType, FileVersion, WorkspaceDoor } from './workspace-door.ts';

/** One name in a folder, with what a look at it tells. `stamp` changes whenever the file does. */
export interface TreeEntry {
  readonly name: string;
  readonly type: EntryType;
  readonly size: number;
  /** Permission bits, 9 of them. */
  readonly mode: number;
  readonly stamp: string;
  /** The later of its two times, Unix milliseconds. */
  readonly changedMs: number;
}

/** What must be there for it to be removed. */
export type Expected =
  | { readonly type: 'file'; readonly matches: (bytes: Buffer) => boolean }
  | { readonly type: 'link'; readonly target: string };

export interface TreeDoor extends WorkspaceDoor {
  /** The names in a folder, in no order. */
  entries(path: DoorPath): TreeEntry[];
  readLink(path: DoorPath): string;
  /** Makes a link, and the folders above it; workspace.exists when something is there. */
  putLink(path: DoorPath, target: string): void;
  /** Makes a folder, and those above it; one that is there stays. */
  makeFolder(path: DoorPath): void;
  /** Removes a folder if it is empty; gives whether it is gone. */
  removeFolder(path: DoorPath): boolean;
  /** Removes a file or link; workspace.conflict when it is not what was expected, and then it is still there. */
  remove(path: DoorPath, expected: Expected): void;
  /** Sets the 9 permission bits of a file that is this version still. */
  setMode(path: DoorPath, mode: number, version: FileVersion): void;
}

/** A path inside from parts as nameOf makes them; '' = the root. */
export function treePath(path: string): DoorPath {
  return path === ''
    ? { base: 'root', parts: [], shown: '.' }
    : { base: 'root', parts: path.split('/'), shown: path.toWellFormed() };
}

/** The error for something that is not what it was when it was looked at. */
export function changedMeanwhile(path: DoorPath): AppError {
  return new AppError('workspace.conflict', `${path.shown} changed meanwhile. It was left as it is.`, {
    details: { path: path.shown },
  });
}
