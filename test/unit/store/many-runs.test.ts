// Many chats that run side by side for long: what they leave on the disk stays near what they said.
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dropOutputs, pruneOutputs } from '../../../src-main/app/kept-outputs.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStoreWorker } from '../../../src-main/store/store-client.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

checkLeaks();

const RUNS = 40;
const TURNS = 6;
const ANSWER = 4_000;
const CHUNKS = 8;

test('D2: forty chats that run side by side leave little more than what they said, and a new chat is made meanwhile', async () => {
  const folder = await tempFolder();
  const store = await openStoreWorker({ folder });
  onTestFinished(() => store.close());
  const projectId = await make.project(store);
  const chats = await Promise.all(Array.from({ length: RUNS }, () => make.session(store, projectId)));
  let said = 0;
  await Promise.all(
    chats.map(async ({ id }) => {
      for (let turn = 0; turn < TURNS; turn++) {
        const answer = `${id} ${turn} `.repeat(Math.ceil(ANSWER / 40)).slice(0, ANSWER);
        await store.append(id, process.pid, [make.message(`t${turn}`)]);
        for (let chunk = 1; chunk <= CHUNKS; chunk++) {
          const text = answer.slice(0, (answer.length * chunk) / CHUNKS);
          await store.putPartial(id, { turnId: `t${turn}`, text, reasoning: '' });
        }
        const settled = make.answer(`t${turn}`);
        if (settled.kind === 'assistant-message') settled.data.parts = [{ type: 'text', text: answer }];
        await store.append(id, process.pid, [settled, make.turnEnd(`t${turn}`)]);
        said += answer.length;
        if (turn === 2)
          await store.createSession({
            id: `${id}-new` as typeof id,
            projectId,
            entries: [make.start()],
            lease: make.lease,
          });
      }
    }),
  );
  const stats = await store.stats();
  expect(stats.sessions).toBe(2 * RUNS);
  // The running text is gone with what it became; what its pages held is used again.
  for (const { id } of chats) expect(await store.getPartial(id)).toBeNull();
  await store.close();
  expect(statSync(databaseFile(folder)).size).toBeLessThan(3 * said);
});

test('D2: outputs of commands that are kept beside it never grow beyond a bound: the oldest go, also while chats run', async () => {
  const folder = path.join(await tempFolder(), 'outputs');
  expect(await pruneOutputs(folder, 10)).toBe(0);
  await mkdir(folder);
  for (let n = 0; n < 10; n++) {
    const file = path.join(folder, `call-${n}`);
    await writeFile(file, 'x'.repeat(100));
    await utimes(file, 1_000 + n, 1_000 + n);
  }
  expect(await pruneOutputs(folder, 350)).toBe(7);
  expect((await readdir(folder)).sort()).toEqual(['call-7', 'call-8', 'call-9']);
  expect(await pruneOutputs(folder, 350)).toBe(0);
  await dropOutputs(folder, [make.callId('call-8'), make.callId('none')]);
  expect((await readdir(folder)).sort()).toEqual(['call-7', 'call-9']);
});
