// A process of its own for races on one store: two stores as two windows' would be, each taking one shared chat, writing to it,
// letting it go, and making chats of its own in between. Run as race-child.ts DATA FOLDER TIMES; prints what it was told.
import { setTimeout as pause } from 'node:timers/promises';
import { isAppError } from '../../src-main/base/app-error.ts';
import { newId } from '../../src-main/base/new-id.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import { openStoreWorker } from '../../src-main/store/store-client.ts';
import type { Store } from '../../src-main/store/store.ts';
import * as make from '../unit/store/entry-fixtures.ts';

const [, , data = '', folder = '', times = '1'] = process.argv;
const told = { seqs: [] as number[], made: [] as SessionId[], errors: [] as string[] };
const lease = { holder: 'a racer', pid: process.pid };
const SHARED = 'shared-chat' as SessionId;

async function sharedChat(store: Store): Promise<void> {
  const project = await store.openProject({ path: folder, dev: '1', ino: '1', nowMs: Date.now() });
  if (await store.getSession(SHARED)) return;
  const entries = [make.start(), make.title('shared')];
  // Both find that it is not there: one makes it, the other is told that it is.
  await store.createSession({ id: SHARED, projectId: project.id, entries, lease }).then(
    () => store.release(SHARED, process.pid),
    () => undefined,
  );
}

/** Until the chat is free; the other process writes only for a moment. */
async function taken(store: Store): Promise<void> {
  for (;;) {
    try {
      await store.acquire(SHARED, lease);
      return;
    } catch (error) {
      told.errors.push(isAppError(error) ? error.code : String(error));
      await pause(1 + Math.random() * 4);
    }
  }
}

async function race(store: Store): Promise<void> {
  try {
    await taken(store);
    const stored = await store.append(SHARED, process.pid, [make.message('t', 'x'.repeat(500))]);
    told.seqs.push(...stored.map(({ seq }) => seq));
    await store.release(SHARED, process.pid);
    const { projectId } = (await store.getSession(SHARED)) ?? {};
    if (projectId === undefined) return;
    const id = newId<SessionId>();
    await store.createSession({ id, projectId, entries: [make.start(), make.message('t')], lease });
    await store.putPartial(id, { turnId: 't', text: 'so far', reasoning: '' });
    await store.append(id, process.pid, [make.answer('t'), make.turnEnd('t')]);
    await store.listSessions({ projectId: null, filter: '', archived: false, cursor: null, limit: 50 });
    told.made.push(id);
    await store.release(id, process.pid);
  } catch (error) {
    told.errors.push(isAppError(error) ? error.code : String(error));
  }
}

const first = await openStore({ folder: data });
const second = await openStoreWorker({ folder: data });
await sharedChat(first);
for (let n = 0; n < Number(times); n++) await race(n % 2 === 0 ? first : second);
await second.close();
await first.close();
process.stdout.write(JSON.stringify(told));
