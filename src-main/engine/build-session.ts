// Builds a session: resolves its authority, checks the history it goes on from, and gives the verbs to drive it. All
// refusals happen here, before any model call (AUTH-01). The engine keeps nothing outside of the session.
import { AppError } from '../base/app-error.ts';
import type { Entry } from '../contract/entries.ts';
import { resolveAuthority, type ResolvedAuthority } from './authority.ts';
import { EngineToolLinks, withEngineTools, type EngineToolConfig } from './engine-tools.ts';
import { assertValidHistory, foldHistory, type SessionState } from './fold-history.ts';
import { assertModelFits } from './model-fit.ts';
import type { SessionPorts, Tool } from './ports.ts';
import type { SessionConfig } from './session-config.ts';
import { Session } from './session.ts';

/**
 * A session over the given ports. Throws authority.invalid, authority.model-unfit or session.history-invalid; nothing
 * was stored or sent then.
 */
export async function createSession(config: SessionConfig, ports: SessionPorts): Promise<Session> {
  const links = new EngineToolLinks();
  links.asker = ports.asker ?? null;
  const tools = withEngineTools(ports.tools, config, links);
  const authority = await resolveFor(config, tools);
  const hasCalls = config.history.some(
    (entry) => entry.kind === 'assistant-message' && entry.data.parts.some((part) => part.type === 'tool-call'),
  );
  assertModelFits(ports.model, { systemPrompt: config.systemPrompt, tools: tools.length > 0 || hasCalls });
  assertValidHistory(config.history);
  const { mode, confinement } = config;
  const state = foldHistory(config.history, { mode, confinement, model: ports.model.ref });
  state.enabled = config.enabledTools ? [...config.enabledTools] : null;
  settleAutoMode(state, config.history, ports);
  return new Session({ config, ports: { ...ports, tools }, authority, state, links });
}

/** The authority that createSession would give these, without building anything (AUTH-03). Code authority.invalid. */
export async function authorityOf(config: AuthoritySource, tools: readonly Tool[]): Promise<ResolvedAuthority> {
  return resolveFor(config, withEngineTools(tools, config, new EngineToolLinks()));
}

type AuthoritySource = EngineToolConfig & Pick<SessionConfig, 'workspace' | 'limits' | 'environment'>;

function resolveFor(config: AuthoritySource, tools: readonly Tool[]): Promise<ResolvedAuthority> {
  const { workspace, limits, environment } = config;
  return resolveAuthority({ workspace, limits, environment, tools: tools.map((tool) => tool.declaration) });
}

/**
 * Auto mode needs somebody or something that holds the line (MODE-05): asked for with neither a confinement that works
 * nor an approver it is refused. A chat that is opened again falls back to asking instead, as does one that was left in
 * unconfined auto: that is chosen anew each time (CONF-03).
 */
function settleAutoMode(state: SessionState, history: readonly Entry[], ports: SessionPorts): void {
  if (state.mode !== 'auto') return;
  const reopened = history.some((entry) => entry.kind === 'user-message');
  const fenced = fenceOf(ports);
  const unheld = state.confinement && !fenced.available && ports.approver === null;
  if (unheld && !reopened) {
    throw new AppError(
      'authority.invalid',
      `Auto mode needs a confinement or somebody to ask, and there is neither (${fenced.reason}). Use ask or plan mode.`,
    );
  }
  if (reopened && (unheld || !state.confinement)) state.mode = 'ask';
}

function fenceOf({ confiner }: SessionPorts): { available: boolean; reason: string } {
  try {
    return confiner?.status() ?? { available: false, reason: 'no confinement was given' };
  } catch {
    return { available: false, reason: 'the confinement could not be asked' };
  }
}
