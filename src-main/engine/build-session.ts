// Builds a session: resolves its authority, checks the history it goes on from, and gives the verbs to drive it. All
// refusals happen here, before any model call (AUTH-01). The engine keeps nothing outside of the session.
import { AppError } from '../base/app-error.ts';
import type { Mode, ToolDeclaration } from '../contract/authority.ts';
import type { Entry } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import type { Limits } from '../contract/limits.ts';
import { resolveAuthority, type ResolvedAuthority } from './authority.ts';
import { assertValidHistory, foldHistory } from './fold-history.ts';
import type { SessionPorts, WorkspaceIdentity } from './ports.ts';
import { Session } from './session.ts';

export interface SessionConfig {
  readonly sessionId: SessionId;
  readonly workspace: WorkspaceIdentity;
  readonly systemPrompt: string;
  /** Limits that differ from the defaults; none above its ceiling. */
  readonly limits: Partial<Limits>;
  readonly environment: { readonly path: string; readonly home: string };
  /** Where the history says nothing. */
  readonly mode: Mode;
  readonly confinement: boolean;
  /** Entries from root to head, oldest first; empty for a new session. */
  readonly history: readonly Entry[];
}

/**
 * A session over the given ports. Throws authority.invalid, authority.model-unfit or session.history-invalid; nothing
 * was stored or sent then.
 */
export async function createSession(config: SessionConfig, ports: SessionPorts): Promise<Session> {
  const declarations = ports.tools.map((tool): ToolDeclaration => tool.declaration);
  const authority: ResolvedAuthority = await resolveAuthority({
    workspace: config.workspace,
    tools: declarations,
    limits: config.limits,
    environment: config.environment,
  });
  assertModelFits(config, ports);
  assertValidHistory(config.history);
  const state = foldHistory(config.history, {
    mode: config.mode,
    confinement: config.confinement,
    model: ports.model.ref,
  });
  return new Session({ config, ports, authority, state });
}

function assertModelFits(config: SessionConfig, ports: SessionPorts): void {
  const { capabilities, ref } = ports.model;
  if (capabilities.systemPrompt === false && config.systemPrompt !== '') {
    throw new AppError(
      'authority.model-unfit',
      `${ref} takes no system prompt, which this chat needs. Pick another model.`,
    );
  }
  const hasCalls = config.history.some(
    (entry) => entry.kind === 'assistant-message' && entry.data.parts.some((part) => part.type === 'tool-call'),
  );
  if (capabilities.tools === false && (ports.tools.length > 0 || hasCalls)) {
    throw new AppError('authority.model-unfit', `${ref} cannot call tools, which this chat needs. Pick another model.`);
  }
}
