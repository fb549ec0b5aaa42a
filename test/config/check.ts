// `npm run check`: format, lint, types, layers, unused code. One line a tool, then the output of those that failed.
// Leaves tests and the build to run-tests.ts. Invariant: one failing tool never hides what another found.
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, runNode } from './run-command.ts';
import type { CommandResult } from './run-command.ts';

/** One tool of the check and what it said. */
export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly output: string;
  readonly elapsedMs: number;
}

const bin = (file: string): string => path.join(root, 'node_modules', file);
const config = (file: string): string => path.join(root, 'test/config', file);

/** Name -> how to run it. The slowest come first, so that two at a time end soonest. */
const tools: readonly (readonly [string, () => Promise<CommandResult>])[] = [
  ['lint', () => runNode([bin('eslint/bin/eslint.js'), '-c', config('eslint.config.js'), '--max-warnings', '0', '.'])],
  ['types', checkTypes],
  ['unused', () => runNode([bin('knip/bin/knip.js'), '--config', config('knip.json'), '--no-progress'])],
  ['format', () => runNode([bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'])],
  ['layers', () => runNode([config('check-layers.ts')])],
];

/** Type-checks every folder by its own tsconfig, with the native compiler; one environment a folder. */
async function checkTypes(): Promise<CommandResult> {
  const projects = globSync(['tsconfig.json', 'src-*/tsconfig.json', 'src-*/*/tsconfig.json', 'test/tsconfig.json'], {
    cwd: root,
  }).sort();
  const results: CommandResult[] = [];
  for (const project of projects)
    results.push(await runNode([bin('tsgo/bin/tsc'), '-p', project, '--pretty', 'false']));
  const lines = new Set(results.flatMap((result) => result.output.split('\n')));
  return {
    code: results.some((result) => result.code !== 0) ? 1 : 0,
    output: [...lines].join('\n'),
    elapsedMs: results.reduce((sum, result) => sum + result.elapsedMs, 0),
  };
}

/** Runs all tools (or those of `only`), two at a time where the machine has two processors, and prints a line for each. */
export async function runChecks(only: readonly string[] = []): Promise<readonly CheckResult[]> {
  const waiting = tools.filter(([name]) => only.length === 0 || only.includes(name));
  const results: CheckResult[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, run] = next;
      const { code, output, elapsedMs } = await run();
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${(elapsedMs / 1000).toFixed(1)} s`);
      results.push({ name, passed: code === 0, output, elapsedMs });
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  for (const { name, output } of results.filter((result) => !result.passed)) {
    console.log(`\n--- ${name}\n${output.trimEnd()}`);
  }
  return results;
}

if (pathToFileURL(process.argv[1] ?? '').href === import.meta.url) {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !tools.some(([known]) => known === name));
  if (unknown.length > 0) {
    console.error(`No such check: ${unknown.join(', ')}. There are: ${tools.map(([name]) => name).join(', ')}.`);
    process.exitCode = 2;
  } else {
    const results = await runChecks(names);
    process.exitCode = results.every((result) => result.passed) ? 0 : 1;
  }
}
