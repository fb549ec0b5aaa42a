// What a session is built from, beside its ports.
import type { Mode } from '../contract/authority.ts';
import type { Entry } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import type { Limits } from '../contract/limits.ts';
import type { ContextConfig } from './context-keeper.ts';
import type { EngineToolConfig } from './engine-tools.ts';
import type { ParallelCalls } from './gate-types.ts';
import type { WorkspaceIdentity } from './ports.ts';

/** See createSession. */
export interface SessionConfig extends EngineToolConfig {
  readonly sessionId: SessionId;
  readonly workspace: WorkspaceIdentity;
  readonly systemPrompt: string;
  /** Limits that differ from the defaults; none above its ceiling. */
  readonly limits: Partial<Limits>;
  readonly environment: { readonly path: string; readonly home: string };
  /** Where the history says nothing. */
  readonly mode: Mode;
  readonly confinement: boolean;
  /** Which calls of one step run side by side (CONF-09); left out = those that only read. */
  readonly parallelCalls?: ParallelCalls;
  /** The project's files are kept before a turn's first write; left out = they are not (AUTH-24). */
  readonly checkpoints?: boolean;
  /** Tools that are switched on at first, of those of the ceiling; left out = all (TOOL-02). */
  readonly enabledTools?: readonly string[];
  /** How requests are kept within the model's window; left out = automatically, where the window is known. */
  readonly context?: ContextConfig;
  /** Entries from root to head, oldest first; empty for a new session. */
  readonly history: readonly Entry[];
}
