// `npm test`: the check, the build, unit and integration tests (vitest), end-to-end tests (Playwright).
// A runner that fails never keeps the next one from running, and the last line sums up all of them.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildApp, buildIsStale } from './build-app.ts';
import { runChecks } from './check.ts';
import { findBrowser } from './find-browser.ts';
import { root, runNode } from './run-command.ts';
import { readSummary, SUMMARY_FILE } from './run-summary.ts';
import type { RunSummary } from './run-summary.ts';

const title = (text: string): void => console.log(`\n== ${text}`);
const one = (passed: boolean): RunSummary => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: [] });

/** Runs one test runner with its summary reporter; a run that ends badly without a failed test counts as one failure. */
async function runTests(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunSummary> {
  const file = path.join(root, 'test-results', `${name}-summary.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const { code } = await runNode(args, { env: { ...env, [SUMMARY_FILE]: file }, show: true });
  const summary = readSummary(file);
  if (summary === undefined) {
    console.log(`${name} ended with exit code ${String(code)} before it could report.`);
    return one(false);
  }
  return code !== 0 && summary.failed === 0 ? { ...summary, failed: 1 } : summary;
}

async function build(): Promise<RunSummary> {
  if (!buildIsStale()) {
    console.log('out/ is newer than its sources: nothing to build.');
    return { passed: 0, failed: 0, skipped: [] };
  }
  const { code, output, elapsedMs } = await buildApp();
  console.log(code === 0 ? `ok     build    ${(elapsedMs / 1000).toFixed(1)} s` : output);
  return one(code === 0);
}

title('check');
const summaries: RunSummary[] = (await runChecks()).map((check) => one(check.passed));

title('build');
const built = await build();
summaries.push(built);

const browser = await findBrowser();
const env = 'env' in browser ? browser.env : {};
console.log(
  'env' in browser ? `Browser for the tests: ${browser.from}` : `No browser for the tests: ${browser.missing}`,
);

title('unit and integration tests');
const vitestArgs = ['run', '--config', 'test/config/vitest.config.ts'];
const reporters = ['--reporter=default', '--reporter=./test/config/vitest-summary.ts'];
summaries.push(await runTests('vitest', ['node_modules/vitest/vitest.mjs', ...vitestArgs, ...reporters], env));

title('end-to-end tests');
if (built.failed > 0 || 'missing' in browser) {
  const reason = 'missing' in browser ? browser.missing : 'the build failed';
  summaries.push({ passed: 0, failed: 0, skipped: [{ title: 'all end-to-end tests', reason }] });
} else {
  const playwrightArgs = ['test', '--config', 'test/config/playwright.config.ts'];
  const reporter = `--reporter=list,${path.join(root, 'test/config/playwright-summary.ts')}`;
  summaries.push(
    await runTests('playwright', ['node_modules/@playwright/test/cli.js', ...playwrightArgs, reporter], env),
  );
}

const skipped = summaries.flatMap((summary) => summary.skipped);
if (skipped.length > 0) {
  title('skipped');
  for (const { title: name, reason } of skipped) console.log(`${name}: ${reason}`);
}
const sum = (count: (summary: RunSummary) => number): number =>
  summaries.reduce((total, each) => total + count(each), 0);
const failed = sum((summary) => summary.failed);
process.exitCode = failed > 0 ? 1 : 0;
console.log(
  `\n${String(sum((summary) => summary.passed))} passed, ${String(failed)} failed, ${String(skipped.length)} skipped`,
);
