// The last line of `npm test` sums up what the runners' reporters say, so these must tell each kind of end apart.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSummary, splitSkipReason, SUMMARY_FILE } from '../../config/run-summary.ts';
import type { RunSummary } from '../../config/run-summary.ts';
import { root, runCommand } from '../../config/run-command.ts';

/** Runs `files` (name -> text) with a runner in a folder inside the checkout, so that its packages are found. */
async function run(
  runner: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<RunSummary | undefined> {
  const parent = path.join(root, 'node_modules/.cache/house');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(path.join(parent, 'run-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const file = path.join(folder, 'summary.json');
  const args = runner.map((arg) => arg.replace('FOLDER', folder));
  await runCommand(process.execPath, args, { env: { [SUMMARY_FILE]: file, VITEST: '', NO_COLOR: '1' } });
  return readSummary(file);
}

const vitest = [
  path.join(root, 'node_modules/vitest/vitest.mjs'),
  ...['run', '--root', 'FOLDER', '--config', 'FOLDER/config.mjs'],
  `--reporter=${path.join(root, 'test/config/vitest-summary.ts')}`,
];
const playwright = [
  path.join(root, 'node_modules/@playwright/test/cli.js'),
  ...['test', '--config', 'FOLDER/config.mjs'],
  `--reporter=${path.join(root, 'test/config/playwright-summary.ts')}`,
];

test('a vitest run is counted with its failed, skipped and unloadable files', async () => {
  const summary = await run(vitest, {
    'config.mjs': "export default { test: { include: ['*.test.mjs'], maxWorkers: 1 } };",
    'a.test.mjs': `import { describe, expect, test } from 'vitest';
      test('passes', () => {});
      test('fails', () => { expect(1).toBe(2); });
      test('skips itself', (context) => { context.skip('there is no display'); });
      describe.skip('a suite (skipped: no bwrap)', () => { test('of one', () => {}); });
      test.skip('says nothing', () => {});`,
    'b.test.mjs': "import './there-is-no-such-file.mjs';",
  });

  expect(summary).toEqual({
    passed: 1,
    failed: [
      { title: 'a.test.mjs > fails', message: 'expected 1 to be 2 // Object.is equality' },
      { title: 'b.test.mjs', message: expect.stringContaining('there-is-no-such-file.mjs') as string },
    ],
    skipped: [
      { title: 'skips itself', reason: 'there is no display' },
      { title: 'a suite > of one', reason: 'no bwrap' },
      { title: 'says nothing', reason: 'no reason given' },
    ],
  });
});

test('a Playwright run is counted with its failed and skipped tests', async () => {
  const summary = await run(playwright, {
    'config.mjs': "export default { testDir: '.', workers: 1, outputDir: './results' };",
    'a.spec.mjs': `import { expect, test } from '@playwright/test';
      test('passes', () => {});
      test('fails', () => { expect(1).toBe(2); });
      test('skips itself', () => { test.skip(true, 'Electron is missing'); });`,
  });

  expect(summary).toEqual({
    passed: 1,
    failed: [{ title: 'a.spec.mjs > fails', message: expect.stringContaining('Expected: 2') as string }],
    skipped: [{ title: 'a.spec.mjs > skips itself', reason: 'Electron is missing' }],
  });
});

const leaks = {
  timer: ['const timer = setInterval(() => {}, 1000);', 'clearInterval(timer);'],
  server: ["const server = net.createServer().listen(0, '127.0.0.1');", 'server.close();'],
  process: ["const child = spawn('sleep', ['30']);", 'child.kill();'],
  listener: ["const onExit = () => {}; process.on('exit', onExit);", "process.off('exit', onExit);"],
} as const;

test('the leak check fails each suite that leaves something open, and passes those that end it', async () => {
  const suite = (body: string): string => `import { spawn } from 'node:child_process';
    import net from 'node:net';
    import { test } from 'vitest';
    import { checkLeaks } from ${JSON.stringify(path.join(root, 'test/helpers/leak-check.ts'))};
    checkLeaks();
    test('starts something', () => { ${body} });`;
  const files: Record<string, string> = {};
  for (const [kind, [start, end]] of Object.entries(leaks)) {
    files[`${kind}-left.test.mjs`] = suite(start);
    files[`${kind}-ended.test.mjs`] = suite(start + end);
  }

  const summary = await run(vitest, {
    'config.mjs': "export default { test: { include: ['*.test.mjs'], maxWorkers: 2 } };",
    ...files,
  });

  expect(summary).toMatchObject({ passed: 8, skipped: [] });
  expect(summary?.failed.map(({ title }) => title.replace('.test.mjs', '')).sort()).toEqual(
    Object.keys(leaks)
      .map((kind) => `${kind}-left`)
      .sort(),
  );
});

test('a title without a reason is left as it is', () => {
  expect(splitSkipReason('reads a file (slowly)')).toEqual({
    title: 'reads a file (slowly)',
    reason: 'no reason given',
  });
});
