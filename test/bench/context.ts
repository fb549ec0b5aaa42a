// What keeping within a window costs: 2,000 steps in 32,000 tokens. Run: node test/bench/context.ts [--steps N]. Prints
// one JSON line: tokens sent, the largest request, how much of each request was as before, and a late step against an
// early one.
import { playLongChat } from '../helpers/long-chat.ts';

const given = process.argv.indexOf('--steps');
const steps = given < 0 ? 2000 : Number(process.argv[given + 1]);
const { failures, most, sent, same, found, times, journal } = await playLongChat(steps);
const middle = (values: readonly number[]): number =>
  Number(([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(3));
const early = middle(times.slice(50, 250));
const late = middle(times.slice(-200));
console.log(
  JSON.stringify({
    ...{ steps, failures: failures.length, reductions: journal.of('reduction').length, most, sent },
    ...{ same: Number(same.toFixed(3)), needle: found.includes('7f3a'), earlyMs: early, lateMs: late },
    growth: Number((late / early).toFixed(2)),
  }),
);
process.exitCode = failures.length > 0 ? 1 : 0;
