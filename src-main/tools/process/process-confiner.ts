// What the shell and the search need of the operating system's fence: whether there is one, and a command put inside it.
import type { Confiner } from '../../engine/ports.ts';

/** A command as it is started: a program with arguments, and descriptors to hand on (numbered from 3). */
export interface ProcessCommand {
  readonly program: string;
  readonly arguments: readonly string[];
}

/** What a fenced command may see and do. Paths are absolute. */
export interface Fence {
  /** Canonical path of the workspace, and its descriptor where there is one (it pins the folder). */
  readonly root: string;
  readonly rootDescriptor: number | null;
  /** false = the workspace is read-only too. */
  readonly writable: boolean;
  readonly network: boolean;
  readonly home: string;
  /** Read-only besides the system's folders. */
  readonly readable: readonly string[];
  /** Paths in the workspace that stay read-only. */
  readonly readOnly: readonly string[];
  /** Folders in the workspace that are not there and stay empty. */
  readonly sealed?: readonly string[];
  /** Files and folders that are not to be seen. */
  readonly hidden: readonly string[];
}

/** A command inside its fence, and how its parts are numbered. */
export interface FencedCommand extends ProcessCommand {
  /** Descriptors to pass on as 3, 4, …; 'status' = a pipe on which the fence reports. */
  readonly descriptors: readonly (number | 'status')[];
}

export interface ProcessConfiner extends Confiner {
  /** Finds out by running it, once (again only while the machine was too busy to tell); later calls give what was found. */
  probe(): Promise<{ available: boolean; reason: string }>;
  /** The command inside the fence. process.confinement-failed when there is none. */
  wrap(command: ProcessCommand, fence: Fence): FencedCommand;
}
