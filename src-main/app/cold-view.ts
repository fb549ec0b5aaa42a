// A chat that can be read and not driven: another process holds it, or its folder is gone. Drawn from what is stored.
import type { AppError } from '../base/app-error.ts';
import type { AuthorityView, SessionView } from '../contract/session.ts';
import type { SessionRow } from '../store/store.ts';
import type { AppContext } from './app-context.ts';
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
    queue: history.queue,
    draft: why.draft,
    authority: storedAuthority(context, history),
    meter: { contextTokens: history.contextTokens, contextWindow: null, total: history.total },
    lastOutcome: row.lastOutcome,
    heldBy: why.error.code === 'session.busy' ? (row.heldBy ?? 'another process') : null,
    folderProblem: why.error.code === 'session.busy' ? null : why.error.message,
  };
}

function storedAuthority(context: AppContext, history: SessionHistory): AuthorityView {
  const stored = history.authority;
  if (!stored) throw new TypeError('a session without an authority entry');
  return {
    snapshot: stored.snapshot,
    digest: stored.digest,
    generation: stored.generation,
    tools: stored.snapshot.tools.map((tool) => ({
      name: tool.name,
      title: tool.name,
      class: tool.class,
      enabled: false,
      behaviour: 'off',
      limits: [],
    })),
    confinement: { on: true, ...context.confiner.status() },
    drift: [],
    offer: [],
    grants: [],
    lapsedGrants: [...history.grants.values()],
  };
}
