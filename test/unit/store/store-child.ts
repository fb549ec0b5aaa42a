// A process of its own for the store's tests. Run as: store-child.ts open|hold|append FOLDER [SESSION].
// open: adds a project, prints the error code of a failure. hold: takes the lease, prints `held`, stays.
// append: appends without end and prints the seq of each acknowledged entry. SHARED=1: as on a shared file system.
import { openStore } from '../../../src-main/store/open-store.ts';
import { isAppError } from '../../../src-main/base/app-error.ts';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import * as make from './entry-fixtures.ts';

const [, , what, folder = '', session = ''] = process.argv;
const id = session as SessionId;
const shared = process.env['SHARED'] === '1' ? { shared: true } : {};

async function append(): Promise<void> {
  const store = await openStore({ folder, ...shared });
  await store.acquire(id, { holder: 'child', pid: process.pid });
  for (let n = 0; ; n++) {
    const turn = `${process.pid}-${n}`;
    const call = `${turn}-c`;
    await store.putPartial(id, { turnId: turn, text: 'x'.repeat(n), reasoning: '' });
    const stored = await store.append(id, process.pid, [
      make.message(turn, 'y'.repeat((n * 37) % 2000)),
      make.request(turn, call),
      ...(n % 3 === 0 ? [] : [make.verdict(turn, call), make.result(turn, call, [`${n}.txt`])]),
      ...(n % 2 === 0 ? [make.turnEnd(turn)] : [make.queueAdd(turn)]),
    ]);
    process.stdout.write(`${stored.at(-1)?.seq ?? 0}\n`);
  }
}

try {
  if (what === 'append') await append();
  const store = await openStore({ folder, ...shared });
  if (what === 'open') {
    await make.project(store, `/${process.pid}`);
    await store.close();
  } else {
    await store.acquire(id, { holder: 'the other window', pid: process.pid });
    process.stdout.write('held\n');
    setInterval(() => undefined, 60_000);
  }
} catch (error) {
  process.stdout.write(`${isAppError(error) ? error.code : String(error)}\n`);
  process.exitCode = 1;
}
