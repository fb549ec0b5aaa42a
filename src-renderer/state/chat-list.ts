// Lists of chats as pages from main, kept in order as chats change: newest first, archived ones apart from the others.
import type { WireError } from '../../src-main/contract/errors.ts';
import type { SessionSummary } from '../../src-main/contract/session.ts';

export interface ChatList {
  /** Pinned ones first, and newest first. */
  readonly chats: readonly SessionSummary[];
  /** Where the next page begins; null = all is here. */
  readonly cursor: string | null;
  readonly phase: 'new' | 'loading' | 'ready' | 'failed';
  readonly error: WireError | null;
}

export const emptyList: ChatList = { chats: [], cursor: null, phase: 'new', error: null };

/** A page added to a list; a chat that is there already is replaced. */
export function withPage(
  list: ChatList,
  page: { readonly sessions: readonly SessionSummary[]; readonly cursor: string | null },
): ChatList {
  const added = new Set(page.sessions.map((chat) => chat.id));
  const kept = list.chats.filter((chat) => !added.has(chat.id));
  return { chats: inOrder([...kept, ...page.sessions]), cursor: page.cursor, phase: 'ready', error: null };
}

/** The list after one chat changed: moved, renamed, put in, or taken out when it is not of the list's kind any more. */
export function withChat(list: ChatList, chat: SessionSummary, archived = false): ChatList {
  const index = list.chats.findIndex((known) => known.id === chat.id);
  if (chat.archived !== archived) return index < 0 ? list : { ...list, chats: list.chats.toSpliced(index, 1) };
  const before = list.chats[index];
  if (before?.updatedAtMs === chat.updatedAtMs && before.pinned === chat.pinned)
    return { ...list, chats: list.chats.with(index, chat) };
  // Older than the last page that was read: it will come with its own page.
  const oldest = list.chats.at(-1);
  if (!before && !chat.pinned && list.cursor !== null && oldest && chat.updatedAtMs < oldest.updatedAtMs) return list;
  return { ...list, chats: inOrder([...list.chats.filter((known) => known.id !== chat.id), chat]) };
}

export function withoutChat(list: ChatList, sessionId: string): ChatList {
  const chats = list.chats.filter((chat) => chat.id !== sessionId);
  return chats.length === list.chats.length ? list : { ...list, chats };
}

function inOrder(chats: readonly SessionSummary[]): readonly SessionSummary[] {
  return chats.toSorted(
    (a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAtMs - a.updatedAtMs || (a.id < b.id ? 1 : -1),
  );
}

/** What the dot beside a chat says; null = nothing to tell. The most urgent wins. */
export type ChatMark = 'waiting' | 'running' | 'interrupted' | 'failed' | 'unread' | null;

export function markOf(chat: SessionSummary): ChatMark {
  if (chat.waitingApprovals > 0 || chat.status === 'waiting') return 'waiting';
  if (chat.status === 'running' || chat.status === 'interrupted' || chat.status === 'failed') return chat.status;
  return chat.unread ? 'unread' : null;
}

/** The window's title: how many approvals wait, the open chat, the product. */
export function windowTitle(chats: readonly SessionSummary[], openTitle: string | null): string {
  const waiting = chats.reduce((sum, chat) => sum + chat.waitingApprovals, 0);
  const title = openTitle === null || openTitle === '' ? 'Warrant' : `${openTitle} - Warrant`;
  return (waiting > 0 ? `(${waiting}) ${title}` : title).slice(0, 300);
}
