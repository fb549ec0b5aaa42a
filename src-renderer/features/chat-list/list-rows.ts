// The side bar's list as flat rows, so that it can be virtual: headings, chats, and what stands where there are none.
import type { Project } from '../../../src-main/contract/project.ts';
import type { SearchHit, SessionSummary } from '../../../src-main/contract/session.ts';
import { searches, type AppStoreState } from '../../state/app-store.ts';
import { emptyList, type ChatList } from '../../state/chat-list.ts';

export type ListRow =
  | { readonly kind: 'project'; readonly key: string; readonly project: Project; readonly collapsed: boolean }
  | { readonly kind: 'chat'; readonly key: string; readonly chat: SessionSummary; readonly project: string | null }
  | { readonly kind: 'more'; readonly key: string; readonly project: Project | null; readonly loading: boolean }
  | { readonly kind: 'note'; readonly key: string; readonly text: string }
  | { readonly kind: 'hit'; readonly key: string; readonly hit: SearchHit }
  | { readonly kind: 'error'; readonly key: string; readonly project: Project | null; readonly text: string };

/** Heights in px by kind: fixed, so that nothing moves when it is drawn. */
export const ROW_HEIGHT: Readonly<Record<ListRow['kind'], number>> = {
  project: 36,
  chat: 31,
  more: 31,
  note: 31,
  hit: 50,
  error: 56,
};

/** Rows for what is typed as filter or archived (one list over all projects), or for all projects with their chats. */
export function listRows(state: AppStoreState, collapsed: ReadonlySet<string>): ListRow[] {
  const projects = state.app?.projects ?? [];
  if (searches(state)) return foundRows(state, projects);
  return projects.flatMap((project) => {
    const closed = collapsed.has(project.id);
    const head: ListRow = { kind: 'project', key: project.id, project, collapsed: closed };
    return closed ? [head] : [head, ...chatRows(state.lists[project.id] ?? emptyList, project)];
  });
}

function chatRows(list: ChatList, project: Project): ListRow[] {
  const rows: ListRow[] = list.chats.map((chat) => ({ kind: 'chat', key: chat.id, chat, project: null }));
  const key = `${project.id}-end`;
  if (list.phase === 'failed') rows.push({ kind: 'error', key, project, text: list.error?.message ?? '' });
  else if (list.cursor !== null || list.phase === 'loading') {
    rows.push({ kind: 'more', key, project, loading: list.phase === 'loading' });
  } else if (rows.length === 0 && list.phase === 'ready') rows.push({ kind: 'note', key, text: 'No chats yet' });
  return rows;
}

const NOTHING = { filter: 'No chat has that in it', archived: 'No chats are archived' };

function foundRows(state: AppStoreState, projects: readonly Project[]): ListRow[] {
  const { found, hits, filter, archived } = state;
  const nameOf = (chat: SessionSummary): string | null =>
    projects.find((project) => project.id === chat.projectId)?.name ?? null;
  const rows: ListRow[] = found.chats.map((chat) => ({ kind: 'chat', key: chat.id, chat, project: nameOf(chat) }));
  if (found.phase === 'failed')
    rows.push({ kind: 'error', key: 'found', project: null, text: found.error?.message ?? '' });
  else if (found.cursor !== null)
    rows.push({ kind: 'more', key: 'found', project: null, loading: found.phase === 'loading' });
  else if (rows.length === 0 && hits.hits.length === 0 && found.phase === 'ready' && hits.phase !== 'loading')
    rows.push({ kind: 'note', key: 'found', text: filter === '' && archived ? NOTHING.archived : NOTHING.filter });
  return [...rows, ...hitRows(state)];
}

/** What was found in the chats, below the chats that are called so. */
function hitRows({ hits }: AppStoreState): ListRow[] {
  const { error, cursor, behind, phase } = hits;
  const rows: ListRow[] = hits.hits.map((hit) => ({ kind: 'hit', key: `hit ${hit.entryId}`, hit }));
  if (rows.length > 0) rows.unshift({ kind: 'note', key: 'hits', text: 'In the chats' });
  if (phase === 'failed') rows.push({ kind: 'error', key: 'hits-end', project: null, text: error?.message ?? '' });
  else if (cursor !== null) rows.push({ kind: 'more', key: 'hits-end', project: null, loading: phase === 'loading' });
  else if (behind > 0) rows.push({ kind: 'note', key: 'hits-behind', text: 'The newest are still being read' });
  return rows;
}
