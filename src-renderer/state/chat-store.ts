// The open chats of this window: opens them, applies their events in order, and fetches a fresh snapshot after a gap.
// What a turn does is main's; this only shows it and hands over what the person asks for.
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { WireError } from '../../src-main/contract/errors.ts';
import type { EventEnvelope } from '../../src-main/contract/events.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import type { SessionSummary } from '../../src-main/contract/session.ts';
import { wireErrorOf } from '../bridge/bridge-error.ts';
import type { Client } from '../bridge/client.ts';
import { applyEnvelope, mergeEntries, refreshChat, toChatState, withEarlier, type ChatState } from './chat-state.ts';

/** A chat of this window: being opened, open, or not to be opened (with the reason and a way to try again). */
export type OpenChat =
  | { readonly phase: 'opening'; readonly chat: null }
  | { readonly phase: 'open'; readonly chat: ChatState }
  | { readonly phase: 'failed'; readonly chat: null; readonly error: WireError };

export interface ChatStoreState {
  readonly chats: Readonly<Record<string, OpenChat>>;
}

export interface ChatStore {
  readonly store: StoreApi<ChatStoreState>;
  /** Opens a chat, or opens it again after a failure; resolves when it is shown or failed. Never throws. */
  readonly open: (sessionId: SessionId) => Promise<void>;
  /** Asks main again for a chat that is shown: it may be ours now, or its folder be back. Never throws. */
  readonly lookAgain: (sessionId: SessionId) => Promise<void>;
  readonly close: (sessionId: SessionId) => Promise<void>;
  /** Applies a batch of events; those of chats that are not open are ignored. */
  readonly apply: (envelopes: readonly EventEnvelope[]) => void;
  readonly applySummary: (summary: SessionSummary) => void;
  readonly loadEarlier: (sessionId: SessionId) => Promise<void>;
  /** Reads as far back as an entry; gives whether it is on the chat's path. Throws a BridgeError. */
  readonly reach: (sessionId: SessionId, place: { entryId: string; seq: number }) => Promise<boolean>;
  /** Fetches the whole of a trimmed entry and puts it in place. Throws a BridgeError. */
  readonly loadEntry: (sessionId: SessionId, entryId: string) => Promise<void>;
  readonly dismissNotice: (sessionId: SessionId, noticeId: number) => void;
}

const PAGE = 200;
/** A page on the way to a place that is far back. */
const LONG_PAGE = 500;

export interface ChatStoreOptions {
  readonly now?: () => number;
  /** How long to wait before the nth (from 1) new try to catch up, in ms. */
  readonly retryMs?: (attempt: number) => number;
}

const doubling = (attempt: number): number => Math.min(30_000, 500 * 2 ** attempt);

export function createChatStore(client: Client, options: ChatStoreOptions = {}): ChatStore {
  const { now = Date.now, retryMs = doubling } = options;
  const store = createStore<ChatStoreState>(() => ({ chats: {} }));
  /** Events that arrive while a snapshot is on its way; they may or may not be in it. */
  const pending = new Map<string, EventEnvelope[]>();
  const loading = new Set<string>();

  const set = (sessionId: string, chat: OpenChat | null): void =>
    store.setState(({ chats }) => {
      const { [sessionId]: _gone, ...others } = chats;
      return { chats: chat === null ? others : { ...chats, [sessionId]: chat } };
    });
  const chatOf = (sessionId: string): ChatState | null => store.getState().chats[sessionId]?.chat ?? null;
  const change = (sessionId: string, reduce: (chat: ChatState) => ChatState): void => {
    const chat = chatOf(sessionId);
    const next = chat && reduce(chat);
    if (next && next !== chat) set(sessionId, { phase: 'open', chat: next });
  };

  const fetch = async (sessionId: SessionId, attempt = 1): Promise<void> => {
    if (pending.has(sessionId)) return;
    pending.set(sessionId, []);
    try {
      const view = await client.sessions.open({ sessionId });
      const known = chatOf(sessionId);
      let chat = known ? refreshChat(known, view) : toChatState(view);
      for (const envelope of pending.get(sessionId) ?? []) {
        // What came before the snapshot, or from an earlier start of main, is not this snapshot's.
        if (envelope.epoch === chat.epoch) chat = applyEnvelope(chat, envelope, now());
      }
      pending.delete(sessionId);
      if (store.getState().chats[sessionId] === undefined) return;
      set(sessionId, { phase: 'open', chat });
      if (chat.connection === 'stale') await fetch(sessionId);
    } catch (caught) {
      pending.delete(sessionId);
      const known = chatOf(sessionId);
      if (store.getState().chats[sessionId] === undefined) return;
      // What is shown stays shown: the person may still read it while this window goes on trying to catch up.
      if (known) {
        set(sessionId, { phase: 'open', chat: { ...known, connection: 'stale' } });
        setTimeout(() => {
          if (chatOf(sessionId)?.connection === 'stale') void fetch(sessionId, attempt + 1);
        }, retryMs(attempt));
      } else set(sessionId, { phase: 'failed', chat: null, error: wireErrorOf(caught) });
    }
  };

  return {
    store,
    async open(sessionId) {
      const known = store.getState().chats[sessionId];
      if (known && known.phase !== 'failed' && known.chat?.connection !== 'stale') return;
      if (known?.chat == null) set(sessionId, { phase: 'opening', chat: null });
      await fetch(sessionId);
    },
    lookAgain: (sessionId) => fetch(sessionId),
    async close(sessionId) {
      set(sessionId, null);
      await client.sessions.close({ sessionId });
    },
    apply(envelopes) {
      const stale = new Set<SessionId>();
      const next: Record<string, OpenChat> = {};
      for (const envelope of envelopes) {
        const { sessionId } = envelope;
        if (sessionId === null) continue;
        const waiting = pending.get(sessionId);
        if (waiting) {
          waiting.push(envelope);
          continue;
        }
        const chat = (next[sessionId] ?? store.getState().chats[sessionId])?.chat;
        if (!chat) continue;
        const applied = applyEnvelope(chat, envelope, now());
        if (applied.connection === 'stale') stale.add(sessionId);
        next[sessionId] = { phase: 'open', chat: applied };
      }
      // One change a batch: a batch is a frame.
      if (Object.keys(next).length > 0) store.setState(({ chats }) => ({ chats: { ...chats, ...next } }));
      for (const sessionId of stale) void fetch(sessionId);
    },
    applySummary(summary) {
      change(summary.id, (chat) => ({ ...chat, summary }));
    },
    async loadEarlier(sessionId) {
      const chat = chatOf(sessionId);
      const beforeSeq = chat?.entries[0]?.seq;
      if (!chat?.hasEarlier || beforeSeq === undefined || loading.has(sessionId)) return;
      loading.add(sessionId);
      try {
        const page = await client.sessions.readEarlier({ sessionId, beforeSeq, limit: PAGE });
        change(sessionId, (current) => withEarlier(current, page));
      } finally {
        loading.delete(sessionId);
      }
    },
    async reach(sessionId, { entryId, seq }) {
      for (;;) {
        const chat = chatOf(sessionId);
        const first = chat?.entries[0]?.seq;
        if (!chat || first === undefined || first <= seq || !chat.hasEarlier) break;
        const page = await client.sessions.readEarlier({ sessionId, beforeSeq: first, limit: LONG_PAGE });
        change(sessionId, (current) => withEarlier(current, page));
        if (page.entries.length === 0) break;
      }
      return chatOf(sessionId)?.entries.some((entry) => entry.id === entryId) ?? false;
    },
    async loadEntry(sessionId, entryId) {
      const known = chatOf(sessionId)?.entries.find((entry) => entry.id === entryId);
      if (!known) return;
      const entry = await client.sessions.readEntry({ sessionId, entryId: known.id });
      const { trimmed: _trimmed, ...whole } = entry;
      change(sessionId, (chat) => ({ ...chat, entries: mergeEntries(chat.entries, [whole]) }));
    },
    dismissNotice(sessionId, noticeId) {
      change(sessionId, (chat) => ({ ...chat, notices: chat.notices.filter(({ id }) => id !== noticeId) }));
    },
  };
}
