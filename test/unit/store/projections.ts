// All that the store projects from entries, read back through its interface, for comparing live rows with rebuilt ones.
import type { Store } from '../../../src-main/store/store.ts';

/** Every project's sessions with their ledger, changes and queue. */
export async function readProjections(store: Store): Promise<unknown> {
  const query = { projectId: null, filter: '', cursor: null, limit: 1000 };
  const lists = [
    await store.listSessions({ ...query, archived: false }),
    await store.listSessions({ ...query, archived: true }),
  ];
  const rows = lists.flatMap((list) => list.sessions);
  return Promise.all(
    rows.map(async (row) => ({
      row,
      ledger: await store.listLedger(row.id),
      changes: await store.listChanges(row.id),
      queue: await store.listQueue(row.id),
    })),
  );
}
