// Every fault of the rig on the four wires through the engine, each at one of its tries: the whole answer in the end, or
// an error that names its cause. All tries of all of them, streamed and not: node test/bench/faults.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLeaks } from '../helpers/leak-check.ts';
import { faultScenarios, FAULTS, playFaults, TRIES, WIRES, type FaultCase, type Try } from '../helpers/model-faults.ts';
import { startRig, type Rig } from '../helpers/start-rig.ts';

checkLeaks();

let rig: Rig;
beforeAll(async () => {
  rig = await startRig(faultScenarios());
});
afterAll(() => rig.stop());

const NAMES = Object.keys(FAULTS);
const TRY_NAMES = Object.keys(TRIES) as Try[];

/** No cut answer is shown as whole, nothing hangs, no call runs twice, and no error is without its reason. */
async function expectHonest(cases: readonly FaultCase[]): Promise<void> {
  const played = await playFaults(cases, rig.port);
  expect(played.filter(({ result }) => result.came !== 'whole' && result.came !== 'error')).toEqual([]);
  expect(played).toHaveLength(cases.length);
}

describe.each(WIRES)('on the wire %s', (wire) => {
  test('T17: a service that fails at some of its tries gives the whole answer, or an error that names the cause', async () => {
    const shift = WIRES.indexOf(wire);
    // A service that hangs at every try is waited for at every try: that is the bench's.
    const upTo = (name: string, at: number): Try =>
      name === 'hang' ? 'first' : (TRY_NAMES[(at + shift) % TRY_NAMES.length] ?? 'last');
    await expectHonest(NAMES.map((name, at) => ({ wire, name, upTo: upTo(name, at), streamed: true })));
  });

  test('T17: a service that answers with one body where a stream was asked for is told apart, and nothing runs', async () => {
    const some = ['status 500', 'cut after 4 events', 'a web page', 'cut by the token limit'];
    await expectHonest(some.map((name) => ({ wire, name, upTo: 'first', streamed: false })));
  });
});
