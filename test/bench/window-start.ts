// `node test/bench/window-start.ts [RUNS]`: from the start of the process to a usable window (composer focused, list drawn,
// a letter typed and on screen), beside a bare window of the same runtime with one text field. Prints medians and the ratio.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { findBrowser } from '../config/find-browser.ts';
import { root } from '../config/run-command.ts';

const runs = Number(process.argv[2] ?? 7);
const cli = path.join(root, 'src-main/chromium/cli.ts');

const BARE_MAIN = `import { app, BrowserWindow, protocol } from 'electron';
protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }]);
app.setPath('userData', process.env.WARRANT_DATA + '/window');
app.whenReady().then(async () => {
  protocol.handle('app', () => new Response('<!doctype html><textarea autofocus aria-label="Message"></textarea>', { headers: { 'content-type': 'text/html' } }));
  const window = new BrowserWindow({ width: 1280, height: 800, webPreferences: { sandbox: true } });
  await window.loadURL('app://main/index.html');
});`;

function bareApp(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'warrant-bare-'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'bare', type: 'module', main: 'main.js' }));
  writeFileSync(path.join(folder, 'main.js'), BARE_MAIN);
  return folder;
}

/** Milliseconds from the spawn until a typed letter stands in the focused field and was drawn. */
async function timeStart(app: string, words: readonly string[], browserEnv: Record<string, string>): Promise<number> {
  const data = mkdtempSync(path.join(os.tmpdir(), 'warrant-start-'));
  mkdirSync(path.join(data, 'project'));
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [cli, app, ...words.map((word) => word.replace('{data}', data))], {
    stdio: 'ignore',
    env: {
      ...process.env,
      ...browserEnv,
      WARRANT_DATA: data,
      HOME: data,
      WARRANT_HEADLESS: '1',
      WARRANT_CHROMIUM_FLAGS: '--remote-debugging-port=0',
    },
  });
  try {
    const page = await pageOf(data);
    const field = page.locator('textarea');
    await field.waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    await page.keyboard.type('a');
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'a');
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    return performance.now() - startedAtMs;
  } finally {
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function pageOf(data: string): Promise<Page> {
  const file = path.join(data, 'window/chromium/DevToolsActivePort');
  for (let tries = 0; tries < 6000; tries++) {
    try {
      const [port, address] = readFileSync(file, 'utf8').split('\n');
      const browser = await chromium.connectOverCDP(`ws://127.0.0.1:${port ?? ''}${address ?? ''}`);
      for (;;) {
        const page = browser
          .contexts()[0]
          ?.pages()
          .find((one) => one.url().includes('main.app.invalid'));
        if (page) return page;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  throw new TypeError('the window did not come');
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const found = await findBrowser();
if ('missing' in found) throw new TypeError(found.missing);
const bare = bareApp();
const times: { warrant: number[]; bare: number[] } = { warrant: [], bare: [] };
for (let run = 0; run <= runs; run++) {
  const one = await timeStart(root, ['--folder={data}/project'], found.env);
  const other = await timeStart(bare, [], found.env);
  // The first of each warms the disk.
  if (run > 0) {
    times.warrant.push(one);
    times.bare.push(other);
  }
}
rmSync(bare, { recursive: true, force: true });
const result = { warrantMs: Math.round(median(times.warrant)), bareMs: Math.round(median(times.bare)) };
console.log(JSON.stringify({ ...result, ratio: Number((result.warrantMs / result.bareMs).toFixed(2)), runs }));
