import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { NewEntry } from '../../../src-main/contract/entries.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import * as make from './entry-fixtures.ts';
import { readProjection, readProjections } from './projections.ts';

checkLeaks();

const turn = fc.constantFrom('t1', 't2', 't3');
const call = fc.constantFrom('c1', 'c2', 'c3', 'c4');
const queueId = fc.constantFrom('q1', 'q2');

/** Any entry, also where a sound engine would not write it: the two forms must agree on every history. */
const anyEntry: fc.Arbitrary<() => NewEntry> = fc.oneof(
  turn.map((t) => () => make.message(t)),
  fc.tuple(turn, fc.constantFrom(0, 0.25, null)).map(
    ([t, cost]) =>
      () =>
        make.answer(t, cost),
  ),
  fc.tuple(turn, call).map(
    ([t, c]) =>
      () =>
        make.request(t, c),
  ),
  fc.tuple(turn, call, fc.constantFrom('run' as const, 'deny' as const)).map(
    ([t, c, d]) =>
      () =>
        make.verdict(t, c, d),
  ),
  fc.tuple(turn, call).map(
    ([t, c]) =>
      () =>
        make.toolStart(t, c),
  ),
  fc.tuple(turn, call, fc.subarray(['a', 'b', 'c'])).map(
    ([t, c, paths]) =>
      () =>
        make.result(t, c, paths),
  ),
  turn.map((t) => () => make.turnEnd(t)),
  turn.map((t) => () => make.entry('turn-continue', { turnId: make.turnId(t), of: null })),
  turn.map(
    (t) => () =>
      make.entry('turn-end', {
        turnId: make.turnId(t),
        outcome: { type: 'awaiting-approval', callIds: [] },
        steps: 1,
        durationMs: 1,
      }),
  ),
  fc.string().map((text) => () => make.title(text)),
  fc.constantFrom('plan' as const, 'auto' as const).map((mode) => () => make.entry('mode', { mode, by: 'person' })),
  fc.constant(() => make.entry('model', { model: 'other', previous: 'guide', by: 'person' })),
  queueId.map((id) => () => make.queueAdd(id)),
  queueId.map((id) => () => make.queueRemove(id)),
  fc.constant(() => make.entry('step-end', { turnId: make.turnId('t1'), step: 1 }, 5)),
);

test(
  'projections rebuilt from the entries equal those kept up live, for random histories',
  { timeout: 180_000 },
  async () => {
    const folder = await tempFolder();
    const store = await openStore({ folder });
    onTestFinished(() => store.close());
    const projectId = await make.project(store);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyEntry, { minLength: 1, maxLength: 5 }), { maxLength: 12 }),
        async (batches) => {
          const { id } = await make.session(store, projectId);
          for (const batch of batches) {
            await store.append(
              id,
              process.pid,
              batch.map((build) => build()),
            );
          }
          const live = await readProjection(store, id);
          await store.rebuildProjections(id);
          expect(await readProjection(store, id)).toEqual(live);
        },
      ),
      { numRuns: 30 },
    );
    const live = await readProjections(store);
    await store.rebuildProjections(null);
    expect(await readProjections(store)).toEqual(live);
  },
);

test('a rebuild mends a projection that was damaged, and an unknown chat is session.not-found', async () => {
  const folder = await tempFolder();
  const store = await openStore({ folder });
  onTestFinished(() => store.close());
  const { id } = await make.session(store, await make.project(store), [make.message('t1'), make.request('t1', 'c1')]);
  const live = await readProjections(store);
  const { default: Database } = await import('better-sqlite3');
  const other = new Database(`${folder}/warrant.db`);
  other.exec(
    `DELETE FROM call; UPDATE session SET title = 'x', turns = 9, head_seq = 1, waiting = 5, open_turn = NULL`,
  );
  other.close();
  expect(await readProjections(store)).not.toEqual(live);
  await store.rebuildProjections(id);
  expect(await readProjections(store)).toEqual(live);
  await expect(store.rebuildProjections('none' as typeof id)).rejects.toMatchObject({ code: 'session.not-found' });
});
