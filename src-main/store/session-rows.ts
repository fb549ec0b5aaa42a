// Reads and pages the session list. Rows hold what newer versions wrote: values that this version does not know are
// given as they are, so no chat ever drops out of a list.
import { AppError } from '../base/app-error.ts';
import type { Mode } from '../contract/authority.ts';
import type { Outcome } from '../contract/entries.ts';
import type { ProjectId, SessionId } from '../contract/ids.ts';
import { holderText, type LeaseRow } from './leases.ts';
import type { SessionProjection } from './session-projection.ts';
import type { Bindable, StoreDatabase } from './store-database.ts';
import type { SessionPage, SessionRow } from './store.ts';
import { parseStored } from './stored-json.ts';

/** The columns of the session table that the projection and the list need. */
export interface SessionColumns {
  number: number;
  id: string;
  project_id: string;
  unread: number;
  archived: number;
  trashed_at: number | null;
  pinned: number;
  name: string;
  head_seq: number;
  title: string;
  created_at: number;
  updated_at: number;
  settled_seq: number;
  open_turn: string | null;
  mode: string;
  model: string;
  turns: number;
  last_outcome: string | null;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  reasoning_tokens: number;
  cost_usd: number | null;
  context_tokens: number;
  waiting: number;
  queued: number;
}

type SessionWithLease = SessionColumns & (LeaseRow | { pid: null });

const columns = `s.number, s.id, s.project_id, s.unread, s.archived, s.trashed_at, s.pinned, s.name, s.head_seq, s.title, s.created_at, s.updated_at,
  s.settled_seq, s.open_turn, s.mode, s.model, s.turns, s.last_outcome, s.input_tokens, s.output_tokens, s.cached_tokens,
  s.reasoning_tokens, s.cost_usd, s.context_tokens, s.waiting, s.queued,
  lease.holder, lease.pid, lease.started, lease.host, lease.taken_at`;

const MAX_PAGE = 1_000;

/** The fold's state as the row holds it. */
export function toProjection(row: SessionColumns): SessionProjection {
  return {
    name: row.name,
    title: row.title,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    settledSeq: row.settled_seq,
    openTurnId: row.open_turn,
    mode: row.mode as Mode,
    model: row.model,
    turns: row.turns,
    lastOutcome: parseStored<Outcome | null>(row.last_outcome, null),
    usage: {
      input: row.input_tokens,
      output: row.output_tokens,
      cachedInput: row.cached_tokens,
      reasoning: row.reasoning_tokens,
      costUsd: row.cost_usd,
    },
    contextTokens: row.context_tokens,
  };
}

function toSessionRow(database: StoreDatabase, row: SessionWithLease): SessionRow {
  return {
    id: row.id as SessionId,
    projectId: row.project_id as ProjectId,
    ...toProjection(row),
    headSeq: row.head_seq,
    waitingApprovals: row.waiting,
    queued: row.queued,
    saved: !database.inMemory,
    pinned: row.pinned !== 0,
    unread: row.unread !== 0,
    archived: row.archived !== 0,
    trashedAtMs: row.archived === 2 ? row.trashed_at : null,
    heldBy: holderText(row.pid === null ? null : row, row.updated_at),
  };
}

/** One session, or null. */
export function getSession(database: StoreDatabase, id: SessionId): SessionRow | null {
  const row = database.get<SessionWithLease>(
    `SELECT ${columns} FROM session s LEFT JOIN lease ON lease.session = s.number WHERE s.id = ? AND s.archived < 3`,
    id,
  );
  return row === undefined ? null : toSessionRow(database, row);
}

/** The newest session of that name that is not in the trash, or null. */
export function findSession(database: StoreDatabase, name: string): SessionRow | null {
  if (name === '') return null;
  const row = database.get<SessionWithLease>(
    `SELECT ${columns} FROM session s LEFT JOIN lease ON lease.session = s.number
     WHERE s.name = ? AND s.archived < 2 ORDER BY s.number DESC LIMIT 1`,
    name,
  );
  return row === undefined ? null : toSessionRow(database, row);
}

/** The newest session of a project that is not archived and has a message, or null. */
export function lastSession(database: StoreDatabase, projectId: ProjectId): SessionRow | null {
  const row = database.get<SessionWithLease>(
    `SELECT ${columns} FROM session s LEFT JOIN lease ON lease.session = s.number
     WHERE s.project_id = ? AND s.archived = 0 AND s.turns > 0 ORDER BY s.updated_at DESC, s.number DESC LIMIT 1`,
    projectId,
  );
  return row === undefined ? null : toSessionRow(database, row);
}

/** A cursor is the place of the last row in the order: its time and its number. */
function parseCursor(cursor: string): [updatedAt: number, number: number] {
  const parts = /^(\d{1,15}):(\d{1,15})$/.exec(cursor);
  if (parts === null) {
    throw new AppError('ipc.invalid-input', 'This place in the chat list is not known. Load the list again.', {
      details: { cursor },
    });
  }
  return [Number(parts[1]), Number(parts[2])];
}

/** What a page is asked for; see Store.listSessions. */
export interface SessionQuery {
  projectId: ProjectId | null;
  /** Already folded as titles are. */
  filter: string;
  archived: boolean;
  trashed?: boolean;
  cursor: string | null;
  limit: number;
}

/** Conditions of a query, with their values; `further` come first. */
function conditionsOf(
  query: Pick<SessionQuery, 'projectId' | 'filter'>,
  further: readonly (readonly [condition: string, ...values: Bindable[]])[],
): { where: string; values: Bindable[] } {
  const all = [...further];
  if (query.projectId !== null) all.push(['s.project_id = ?', query.projectId]);
  if (query.filter !== '') all.push(['instr(s.title_folded, ?) > 0', query.filter]);
  return { where: all.map(([condition]) => condition).join(' AND '), values: all.flatMap(([, ...values]) => values) };
}

/** Archive and trash have no top: what was pinned there stands where its time puts it. */
const hasTop = (query: SessionQuery): boolean => !query.archived && query.trashed !== true;

/** The pinned chats of a list, on its first page alone. */
function pinnedOnTop(database: StoreDatabase, query: SessionQuery): SessionWithLease[] {
  if (!hasTop(query) || query.cursor !== null) return [];
  const { where, values } = conditionsOf(query, [['s.pinned > 0'], ['s.archived = 0']]);
  return database.all<SessionWithLease>(
    `SELECT ${columns} FROM session s INDEXED BY session_pinned LEFT JOIN lease ON lease.session = s.number
     WHERE ${where} ORDER BY s.updated_at DESC, s.number DESC LIMIT ${MAX_PAGE}`,
    ...values,
  );
}

/** A page in the order of the index, so that it costs the same however many sessions there are. */
export function listSessions(database: StoreDatabase, query: SessionQuery): SessionPage {
  const { where, values } = conditionsOf(query, [
    ['s.archived = ?', query.trashed ? 2 : query.archived ? 1 : 0],
    ...(hasTop(query) ? [['s.pinned = 0'] as const] : []),
    ...(query.cursor === null ? [] : [['(s.updated_at, s.number) < (?, ?)', ...parseCursor(query.cursor)] as const]),
  ]);
  const limit = Math.min(Math.max(Math.trunc(query.limit), 1), MAX_PAGE);
  const rows = database.all<SessionWithLease>(
    `SELECT ${columns} FROM session s LEFT JOIN lease ON lease.session = s.number WHERE ${where}
     ORDER BY s.updated_at DESC, s.number DESC LIMIT ?`,
    ...values,
    limit + 1,
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const cursor = rows.length > limit && last ? `${last.updated_at}:${last.number}` : null;
  const sessions = [...pinnedOnTop(database, query), ...shown].map((row) => toSessionRow(database, row));
  return { sessions, cursor };
}
