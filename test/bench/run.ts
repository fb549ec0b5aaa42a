// `npm run bench -- [SUITE]... [--OPTION VALUE]...`: runs the rig's suites on the built headless program beside the
// floor and compares with budgets.json. Without suites: one, rounds (20 and 100), burst, faults. `store` and `tools` are
// programs of their own (`--full` makes them larger).
// Leaves the measuring to rig/bench.mjs; what was measured is written to test-results/bench-SUITE.json.
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { buildApp, buildIsStale } from '../config/build-app.ts';
import { root, runCommand } from '../config/run-command.ts';
import type { CommandResult } from '../config/run-command.ts';

const Budget = z.object({
  id: z.string(),
  suite: z.string(),
  column: z.string(),
  per: z.string().optional(),
  must: z.number(),
  goal: z.number(),
});
type Budget = z.infer<typeof Budget>;

const Row = z.record(z.string(), z.unknown());
type Row = z.infer<typeof Row>;

const defaults: Readonly<Record<string, readonly string[]>> = { rounds: ['--rounds', '20,100'] };
const output = (suite: string): string => path.join(root, 'test-results', `bench-${suite}.json`);
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Suites that are programs of their own beside this file: each prints its figures and fails where a must is not met. */
const OWN_SUITES: readonly string[] = ['store', 'tools'];

/** Runs one suite of the rig; where we are root in a network namespace of its own, so that nothing can call out. */
function runSuite(suite: string, options: readonly string[]): Promise<CommandResult> {
  const rig = path.join(root, 'test/bench/rig');
  const given = options.includes('--only') ? options : ['--only', 'floor,warrant', ...options];
  const bench = [
    process.execPath,
    path.join(rig, 'bench.mjs'),
    suite,
    '--peers',
    path.join(root, 'test/bench/peers.json'),
  ];
  const all = [...bench, '--out', output(suite), ...(defaults[suite] ?? []), ...given];
  return process.getuid?.() === 0 && process.platform === 'linux'
    ? runCommand('sh', [path.join(rig, 'netns.sh'), ...all], { show: true })
    : runCommand(process.execPath, all.slice(1), { show: true });
}

/** One line for each row that a budget speaks of; the second part says whether its *must* level holds. */
function compare(budget: Budget, rows: readonly Row[]): readonly (readonly [string, boolean])[] {
  const value = (row: Row | undefined): number => Number(row?.[budget.column]);
  return rows
    .filter((row) => row['peer'] === 'warrant')
    .map((row) => {
      const base = rows.find((each) => each['peer'] === budget.per && each['rounds'] === row['rounds']);
      const figure = budget.per === undefined ? value(row) : value(row) / value(base);
      const held = figure <= budget.must;
      const verdict = !held ? 'NOT MET' : figure <= budget.goal ? 'goal met' : 'must met';
      const where =
        typeof row['rounds'] === 'number' ? `${budget.column}, ${String(row['rounds'])} rounds` : budget.column;
      const of = budget.per === undefined ? '' : ` x ${budget.per}`;
      const levels = `must ${String(budget.must)}, goal ${String(budget.goal)}`;
      return [`${budget.id} ${where}: ${figure.toFixed(2)}${of} (${levels}): ${verdict}`, held] as const;
    });
}

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('--'));
const named = firstOption < 0 ? args : args.slice(0, firstOption);
const suites = named.length > 0 ? named : ['one', 'rounds', 'burst', 'faults'];
const options = firstOption < 0 ? [] : args.slice(firstOption);

mkdirSync(path.join(root, 'test-results'), { recursive: true });
if (suites.some((suite) => !OWN_SUITES.includes(suite)) && buildIsStale()) {
  const built = await buildApp();
  if (built.code !== 0) {
    console.error(built.output);
    process.exit(1);
  }
}
const budgets = z.array(Budget).parse(json(path.join(root, 'test/bench/budgets.json')));
let held = true;
for (const suite of suites) {
  console.log(`\n== ${suite}`);
  if (OWN_SUITES.includes(suite)) {
    const own = [path.join(root, 'test/bench', `${suite}.ts`), ...options];
    held &&= (await runCommand(process.execPath, own, { show: true })).code === 0;
    continue;
  }
  const { code } = await runSuite(suite, options);
  if (code !== 0) {
    held = false;
    continue;
  }
  const applying = budgets.filter((budget) => budget.suite === suite);
  if (applying.length === 0) continue;
  const { rows } = z.object({ rows: z.array(Row) }).parse(json(output(suite)));
  for (const [line, ok] of applying.flatMap((budget) => compare(budget, rows))) {
    console.log(line);
    held &&= ok;
  }
}
process.exitCode = held ? 0 : 1;
