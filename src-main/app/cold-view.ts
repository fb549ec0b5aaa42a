// A chat that can be read and not driven: another process holds it, or its folder is gone. Drawn from what is stored.
import type { AppError } from '../base/app-error.ts';
import type { Mode } from '../contract/authority.ts';
import type { Entry } from '../contract/entries.ts';
import type { AuthorityView, SessionView } from '../contract/session.ts';
import type { SessionRow } from '../store/store.ts';
import type { AppContext } from './app-context.ts';
import { toToolStates } from './session-authority.ts';
import { SessionHistory } from './session-history.ts';
import { toSummary } from './session-summary.ts';
import { toWindowEntry } from './window-entry.ts';

const SHOWN_ENTRIES = 200;

/** The view; `error` says why it is read-only (session.busy or project.gone). */
export async function coldView(
  context: AppContext,
  row: SessionRow,
  why: { error: AppError; draft: SessionView['draft'] },
): Promise<SessionView> {
  const { entries } = await context.store.readPath(row.id);
  const history = new SessionHistory();
  for (const entry of entries) history.take(entry);
  const project = await context.store.getProject(row.projectId);
  const shown = entries.slice(-SHOWN_ENTRIES);
  return {
    summary: toSummary(row, null),
    projectPath: project?.path ?? '',
    epoch: context.events.epoch,
    n: context.events.lastNumber(row.id),
    entries: shown.map(toWindowEntry),
    hasEarlier: entries.length > shown.length,
    running: null,
    approvals: [],
    questions: [],
    shell: null,
    queue: history.queue,
    draft: why.draft,
    authority: storedAuthority(context, history, { entries, mode: row.mode }),
    meter: { contextTokens: history.contextTokens, contextWindow: null, total: history.total },
    lastOutcome: row.lastOutcome,
    heldBy: why.error.code === 'session.busy' ? holderOf(why.error) : null,
    folderProblem: why.error.code === 'session.busy' ? null : why.error.message,
  };
}

/** `warrant run (process 4711)`, for people. */
function holderOf({ details }: AppError): string {
  const { holder, pid } = details;
  return typeof holder === 'string' ? `${holder} (process ${String(pid)})` : 'another process';
}

/** The authority as the chat left it: whoever holds the chat works with that. */
function storedAuthority(
  context: AppContext,
  history: SessionHistory,
  { entries, mode }: { entries: readonly Entry[]; mode: Mode },
): AuthorityView {
  const stored = history.authority;
  if (!stored) throw new TypeError('a session without an authority entry');
  const { snapshot } = stored;
  const status = context.confiner.status();
  const { settings } = context;
  const enabledTools =
    entries.findLast((entry) => entry.kind === 'enabled-tools')?.data.tools ?? snapshot.tools.map((tool) => tool.name);
  const confinement =
    entries.findLast((entry) => entry.kind === 'confinement')?.data.on ??
    entries.find((entry) => entry.kind === 'session-start')?.data.confinement ??
    true;
  return {
    snapshot,
    digest: stored.digest,
    generation: stored.generation,
    tools: toToolStates({
      ...{ snapshot, mode, enabledTools, confinement },
      ...{ settings: settings.current, confinable: status.available },
    }),
    confinement: { on: confinement, available: status.available, reason: status.reason },
    drift: [],
    offer: [],
    grants: [],
    lapsedGrants: [...history.grants.values()],
  };
}
