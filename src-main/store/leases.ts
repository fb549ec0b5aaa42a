// Leases: at most one living process writes a session. A lease of a dead process counts as nobody's and is taken over.
import { AppError } from '../base/app-error.ts';
import type { SessionId } from '../contract/ids.ts';
import { identifyProcess, isProcessAlive, isSameProcess, type ProcessIdentity } from './process-identity.ts';
import type { StoreDatabase } from './store-database.ts';
import type { LeaseHolder } from './store.ts';

/** A lease's row; `taken_at` is Unix milliseconds. */
export interface LeaseRow {
  holder: string;
  pid: number;
  started: string;
  host: string;
  taken_at: number;
}

/** The error of a session that another process holds, or (lease null) that nobody has taken for writing. */
export function busyError(id: SessionId, lease: LeaseRow | null): AppError {
  const message =
    lease === null
      ? 'This chat is not open for writing here, so nothing was written. Open it again and try once more.'
      : `This chat is open in ${lease.holder} (process ${lease.pid}). Nothing was written; close it there, or go on reading here.`;
  const facts = lease === null ? { holder: null } : { holder: lease.holder, pid: lease.pid, host: lease.host };
  return new AppError('session.busy', message, { details: { sessionId: id, ...facts } });
}

/** Whether the holder lives; `lastSeenAtMs` is the session's last change. */
export function isHeldNow(lease: LeaseRow, lastSeenAtMs: number): boolean {
  return isProcessAlive(lease, Math.max(lease.taken_at, lastSeenAtMs), Date.now());
}

/** Who holds the session, as `pid@host`; null = nobody that lives. `lastSeenAtMs` is the session's last change. */
export function holderText(lease: LeaseRow | null, lastSeenAtMs: number): string | null {
  return lease !== null && isHeldNow(lease, lastSeenAtMs) ? `${lease.pid}@${lease.host}` : null;
}

/** Takes the lease of session `number`; the same process may take it again. Code session.busy. Call inside `write`. */
export function takeLease(database: StoreDatabase, session: { id: SessionId; number: number }, by: LeaseHolder): void {
  const self = identifyProcess(by.pid);
  const lease = database.get<LeaseRow & { updated_at: number }>(
    `SELECT holder, pid, started, host, taken_at, updated_at FROM lease JOIN session ON number = session
     WHERE session = ?`,
    session.number,
  );
  if (lease && !isSameProcess(lease, self) && isHeldNow(lease, lease.updated_at)) throw busyError(session.id, lease);
  database.run(
    'INSERT OR REPLACE INTO lease (session, holder, pid, started, host, taken_at) VALUES (?, ?, ?, ?, ?, ?)',
    session.number,
    by.holder,
    self.pid,
    self.started,
    self.host,
    Date.now(),
  );
}

/** Lets the lease go if the process `pid` of this machine holds it; else nothing happens. */
export function releaseLease(database: StoreDatabase, id: SessionId, pid: number): void {
  const self: ProcessIdentity = identifyProcess(pid);
  database.run(
    `DELETE FROM lease WHERE session = (SELECT number FROM session WHERE id = ?) AND pid = ? AND host = ?`,
    id,
    self.pid,
    self.host,
  );
}

/** Refuses when `pid` is not the holder. Code session.busy. */
export function assertHolds(id: SessionId, lease: LeaseRow | null, pid: number): void {
  if (lease === null || !isSameProcess(lease, identifyProcess(pid))) throw busyError(id, lease);
}
