// FIG-13: every fault of the rig on the four wires, streamed and as one body, at the first, the second and every try.
// Run: node test/bench/faults.ts [--json]. Prints a table; ends with 1 when an answer that was cut is shown as whole,
// a turn hangs, a call runs twice, or an error has no words.
import { startRig } from '../helpers/start-rig.ts';
import { faultScenarios, FAULTS, playFaults, TRIES, WIRES, type FaultCase, type Try } from '../helpers/model-faults.ts';

const tries = Object.keys(TRIES) as Try[];
const cases: FaultCase[] = Object.keys(FAULTS).flatMap((name) =>
  WIRES.flatMap((wire) => tries.flatMap((upTo) => [true, false].map((streamed) => ({ name, wire, upTo, streamed })))),
);
const rig = await startRig(faultScenarios());
try {
  const played = await playFaults(cases, rig.port);
  if (process.argv.includes('--json')) for (const line of played) console.log(JSON.stringify(line));
  const cell = (name: string, wire: string, streamed: boolean): string =>
    tries
      .map((upTo) => {
        const found = played.find(
          ({ one }) => one.name === name && one.wire === wire && one.streamed === streamed && one.upTo === upTo,
        );
        const { came, codes } = found?.result ?? { came: '?', codes: [] };
        return came === 'whole' ? 'whole' : came === 'error' ? (codes.at(-1) ?? '').replace('provider.', '') : came;
      })
      .filter((word, at, all) => at === 0 || word !== all[at - 1] || all.some((other) => other !== word))
      .join(' / ');
  console.log(
    'Each cell: the fault at the first try / the first two / every one. "whole" = the whole answer in the end.',
  );
  for (const streamed of [true, false]) {
    console.log(`\n${streamed ? 'Streamed' : 'Answered with one body where a stream was asked for'}`);
    for (const name of Object.keys(FAULTS)) {
      console.log(`  ${name}`);
      for (const wire of WIRES) console.log(`    ${wire.padEnd(18)} ${cell(name, wire, streamed)}`);
    }
  }
  const bad = played.filter(({ result }) => result.came !== 'whole' && result.came !== 'error');
  const count = (came: string): number => played.filter(({ result }) => result.came === came).length;
  console.log(
    `\n${played.length} runs: ${count('whole')} whole, ${count('error')} errors with their cause, ` +
      `${count('CUT SHOWN AS WHOLE')} cut answers shown as whole, ${count('HANG')} hangs, ${count('RUN TWICE')} calls run twice`,
  );
  process.exitCode = bad.length > 0 ? 1 : 0;
} finally {
  await rig.stop();
}
