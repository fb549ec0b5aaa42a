// A process of its own for faults of system calls: makes a store, a chat and entries in it, and prints one line for each thing
// that was acknowledged (`made`, a seq, `closed`) or refused (the code). Run as: fault-child.ts FOLDER COUNT.
import { isAppError } from '../../../src-main/base/app-error.ts';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import * as make from './entry-fixtures.ts';

const [, , folder = '', count = '0'] = process.argv;
const id = 'chat' as SessionId;
const tell = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function attempt(work: () => Promise<string>): Promise<void> {
  try {
    tell(await work());
  } catch (error) {
    tell(isAppError(error) ? `refused ${error.code}` : `crashed ${String(error)}`);
  }
}

await attempt(async () => {
  const store = await openStore({ folder });
  await attempt(async () => {
    const projectId = await make.project(store);
    await store.createSession({ id, projectId, entries: [make.start()], lease: make.lease });
    return 'made';
  });
  for (let n = 0; n < Number(count); n++) {
    await attempt(async () => {
      const stored = await store.append(id, process.pid, [make.message(`t${n}`, 'x'.repeat((n * 613) % 9_000))]);
      return String(stored.at(-1)?.seq ?? 0);
    });
  }
  await store.close();
  return 'closed';
});
