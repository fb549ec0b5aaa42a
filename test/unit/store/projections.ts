// All that the store projects from entries, read back through its interface, for comparing live rows with rebuilt ones.
import type { SessionId } from '../../../src-main/contract/ids.ts';
import type { Store } from '../../../src-main/store/store.ts';

/** One session's row, ledger, changes and queue. */
export async function readProjection(store: Store, id: SessionId): Promise<unknown> {
  return {
    row: await store.getSession(id),
    ledger: await store.listLedger(id),
    changes: await store.listChanges(id),
    queue: await store.listQueue(id),
  };
}

/** The same of every session. */
export async function readProjections(store: Store): Promise<unknown> {
  const query = { projectId: null, filter: '', cursor: null, limit: 1000 };
  const lists = [
    await store.listSessions({ ...query, archived: false }),
    await store.listSessions({ ...query, archived: true }),
  ];
  const rows = lists.flatMap((list) => list.sessions);
  return Promise.all(rows.map((row) => readProjection(store, row.id)));
}
