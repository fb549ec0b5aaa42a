// What the built-in tools are given by whoever wires them. The tools keep nothing else and no state between calls.
import type { SessionId } from '../contract/ids.ts';
import type { ProcessConfiner } from './process/process-confiner.ts';
import type { SearchProvider } from './web/search-provider.ts';
import type { Workspace } from './workspace/open-workspace.ts';

/** Judges a path (relative to the workspace, or absolute outside it), by any of its components. Pure. */
export interface PathJudge {
  isSecret(path: string): boolean;
  isProtected(path: string): boolean;
}

/** What commands get of the environment; everything else is left out. */
export interface ProcessSettings {
  /** PATH as it was taken at the start. */
  readonly path: string;
  /** Absolute home folder. */
  readonly home: string;
  /** Further variables, by name, that the person asked for. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface BuiltinToolSettings {
  readonly workspace: Workspace;
  readonly process: ProcessSettings;
  /** Private folder for kept output of commands, absolute; made (0700) when first needed. null = nothing is kept. */
  readonly outputFolder: string | null;
  /** Version of the product, for requests that name it. */
  readonly version: string;
  readonly paths: PathJudge;
  readonly confiner: ProcessConfiner;
  /** The search service; absent = there is no web_search (EXEC-17). */
  readonly search?: SearchProvider | undefined;
  /**
   * sha256 of the bytes that the session knows a file to have: of its last read or own change. null = it never read
   * the file. `path` is the target of the call's effect. Must not throw.
   */
  lastRead(sessionId: SessionId, path: string): string | null;
}
