// `npm test`: the check, the build, unit and integration tests (vitest), end-to-end tests (Playwright).
// A runner that fails never keeps the next one from running, and the last line sums up all of them.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildApp, buildIsStale } from './build-app.ts';
import { runChecks } from './check.ts';
import { findBrowser } from './find-browser.ts';
import { root, runNode } from './run-command.ts';
import { failureText, readSummary, SUMMARY_FILE } from './run-summary.ts';
import type { RunSummary } from './run-summary.ts';

const title = (text: string): void => console.log(`\n== ${text}`);
/** The summary of what is one thing that passes or fails as a whole. */
const one = (passed: boolean, name: string, message = ''): RunSummary => ({
  passed: passed ? 1 : 0,
  failed: passed ? [] : [{ title: name, message: failureText(message) }],
  skipped: [],
});

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
    return one(false, name, `It ended with exit code ${String(code)} before it could report.`);
  }
  const unsaid = { title: name, message: `It ended with exit code ${String(code)}, and no failed test says why.` };
  return code !== 0 && summary.failed.length === 0 ? { ...summary, failed: [unsaid] } : summary;
}

async function build(): Promise<RunSummary> {
  if (!buildIsStale()) {
    console.log('out/ is newer than its sources: nothing to build.');
    return { passed: 0, failed: [], skipped: [] };
  }
  const { code, output, elapsedMs } = await buildApp();
  console.log(code === 0 ? `ok     build    ${(elapsedMs / 1000).toFixed(1)} s` : output);
  return one(code === 0, 'build', output);
}

title('check');
const summaries: RunSummary[] = (await runChecks()).map((check) =>
  one(check.passed, `check: ${check.name}`, check.output),
);

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
if (built.failed.length > 0 || 'missing' in browser) {
  const reason = 'missing' in browser ? browser.missing : 'the build failed';
  summaries.push({ passed: 0, failed: [], skipped: [{ title: 'all end-to-end tests', reason }] });
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
// Once more at the end: the runners say it far above, where the end of a long output does not reach.
const failed = summaries.flatMap((summary) => summary.failed);
if (failed.length > 0) {
  title('failed');
  for (const { title: name, message } of failed) console.log(`${name}\n${message.replaceAll(/^/gm, '    ')}`);
}
const passed = summaries.reduce((total, summary) => total + summary.passed, 0);
process.exitCode = failed.length > 0 ? 1 : 0;
console.log(`\n${String(passed)} passed, ${String(failed.length)} failed, ${String(skipped.length)} skipped`);
