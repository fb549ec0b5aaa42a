// The built application on its host: what its page may do, what is left when it ends, and that a second start hands over.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listeningSockets, processesWith } from '../helpers/host-app.ts';
import { electronPath, exitOf, expect, test, type Warrant } from './fixture.ts';

const root = path.resolve(import.meta.dirname, '../..');
const onHost = electronPath === undefined;

interface Answer {
  ok: boolean;
  value?: Record<string, unknown>;
  error?: { code: string; message: string };
}
interface PageWindow {
  warrant: Record<string, Record<string, (input: unknown) => Promise<Answer>>>;
}

/** Calls one procedure from the page, as the page's own scripts do. */
function call(warrant: Warrant, area: string, name: string, input: unknown = {}): Promise<Answer> {
  return warrant.page.evaluate(
    ([inArea, called, given]) =>
      (window as unknown as PageWindow).warrant[inArea]?.[called]?.(given) ??
      Promise.reject(new TypeError('no such procedure')),
    [area, name, input] as const,
  );
}

const composer = 'textarea, [role="textbox"]';

test('the window opens on the folder given, names its runtime, and keeps its data to its owner', async ({
  page,
  warrant,
}) => {
  await expect(page.locator(composer).first()).toBeVisible();
  const state = await call(warrant, 'app', 'getState');
  expect(state).toMatchObject({ ok: true, value: { platform: process.platform, dataFolder: warrant.data } });
  expect(state.value?.['runtime']).toMatch(onHost ? /^Chromium \d+$/ : /^Electron \d+$/);
  expect(JSON.stringify(state.value?.['projects'])).toContain(warrant.project);
  for (const name of readdirSync(warrant.data)) {
    expect([name, statSync(path.join(warrant.data, name)).mode & 0o077]).toEqual([name, 0]);
  }
});

test('a start prints no error in the page', async ({ warrant }) => {
  const page = await warrant.start();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  await page.reload();
  await expect(page.locator(composer).first()).toBeVisible();
  expect(faults).toEqual([]);
});

test('the page has the named functions of the contract, frozen, and nothing of Node or Electron', async ({ page }) => {
  const { PROCEDURES } = await import('../../src-main/contract/channels.ts');
  const surface = await page.evaluate(() => {
    const { warrant } = window as unknown as { warrant: Record<string, object> };
    const names = Object.fromEntries(
      Object.entries(warrant).map(([area, value]) => [
        area,
        typeof value === 'function' ? 'function' : Object.keys(value),
      ]),
    );
    const isFrozen = [warrant, ...Object.values(warrant)].every((value) => Object.isFrozen(value));
    const leaks = ['require', 'process', 'module', 'ipcRenderer', '__host', '__deliver', '__file'].filter(
      (name) => name in globalThis,
    );
    return { names, isFrozen, leaks };
  });
  const expected = Object.fromEntries(Object.entries(PROCEDURES).map(([area, names]) => [area, [...names]]));
  expect(surface).toEqual({
    names: { ...expected, onEvents: 'function', pathForFile: 'function' },
    isFrozen: true,
    leaks: [],
  });
});

test('what does not fit the contract is refused with a typed error and does nothing', async ({ warrant, page }) => {
  await expect(page.locator(composer).first()).toBeVisible();
  const wrong = await call(warrant, 'projects', 'open', { path: 7, more: 1 });
  expect(wrong).toMatchObject({ ok: false, error: { code: 'ipc.invalid-input' } });
  expect(await call(warrant, 'app', 'openExternal', { url: 'file:///etc/passwd' })).toMatchObject({ ok: false });
  expect(await call(warrant, 'app', 'openExternal', { url: 'https://user:pw@example.com/' })).toMatchObject({
    ok: false,
  });
});

test('the page has its content policy, and the policy holds', async ({ page }) => {
  const response = await page.reload();
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'none'");
  expect(policy).not.toContain('unsafe');
  const outcome = await page.evaluate(async () => {
    const tries: Record<string, () => unknown> = {
      html: () => {
        document.createElement('div').innerHTML = '<img src=x onerror=alert(1)>';
      },
      inlineScript: () => {
        const script = document.createElement('script');
        script.textContent = 'window.ran = true';
        document.head.append(script);
        if ('ran' in window) return 'ran';
        throw new TypeError('not run');
      },
      foreignWorker: () => new Worker('https://example.com/worker.js'),
    };
    const results: Record<string, string> = {};
    for (const [name, run] of Object.entries(tries)) {
      try {
        run();
        results[name] = 'done';
      } catch {
        results[name] = 'refused';
      }
    }
    // Later, as code that the test protocol runs itself may evaluate text.
    results['evalCode'] = await new Promise((resolve) => {
      setTimeout(() => {
        try {
          // eslint-disable-next-line no-eval -- that it is refused is what is tested
          eval('1');
          resolve('done');
        } catch {
          resolve('refused');
        }
      });
    });
    results['fetch'] = await fetch('/index.html').then(
      () => 'done',
      () => 'refused',
    );
    results['frame'] = await new Promise((resolve) => {
      addEventListener('securitypolicyviolation', (event) => {
        if (event.violatedDirective === 'frame-src') resolve('refused');
      });
      const frame = document.createElement('iframe');
      frame.src = '/index.html';
      document.body.append(frame);
    });
    return results;
  });
  expect(outcome).toEqual({
    evalCode: 'refused',
    html: 'refused',
    inlineScript: 'refused',
    foreignWorker: 'refused',
    fetch: 'refused',
    frame: 'refused',
  });
});

test('files outside the page are not served', async ({ page }) => {
  const loads = await page.evaluate(() =>
    Promise.all(
      ['/../package.json', '/%2e%2e/package.json', '/..%2fpackage.json', '/main.js', '/%2e%2e%2fmain%2fmain.js'].map(
        (address) =>
          new Promise((resolve) => {
            const script = document.createElement('link');
            script.rel = 'stylesheet';
            script.onload = () => {
              resolve('loaded');
            };
            script.onerror = () => {
              resolve('refused');
            };
            script.href = address;
            document.head.append(script);
          }),
      ),
    ),
  );
  expect(loads).toEqual(loads.map(() => 'refused'));
});

test('the page cannot be left', async ({ page }) => {
  await expect(page.locator(composer).first()).toBeVisible();
  const address = page.url();
  // New windows are tested without Playwright (chromium-host.test.ts): it stops each at its start, which stops its opener.
  const ways = [
    `location.href = 'https://example.com/'`,
    `location.assign('file:///etc/passwd')`,
    `Object.assign(document.createElement('a'), { href: '/assets/', download: 'x' })`,
    `Object.assign(document.createElement('form'), { action: 'https://example.com/' })`,
    `location.replace('data:text/html,x')`,
    `location.href = '/other.html'`,
  ];
  for (const way of ways) {
    // Later, so that nothing waits for a navigation that never comes.
    await page.evaluate(`void setTimeout(() => {
      const made = ${way};
      if (made instanceof HTMLElement) document.body.append(made);
      if (made instanceof HTMLAnchorElement) made.click();
      if (made instanceof HTMLFormElement) made.submit();
    })`);
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve, 50))`);
  }
  expect(page.url()).toBe(address);
  await expect(page.locator(composer).first()).toBeVisible();
});

test('every permission is denied to the page', async ({ page }) => {
  const states = await page.evaluate(async () => {
    const names = [
      'geolocation',
      'notifications',
      'camera',
      'microphone',
      'midi',
      'clipboard-read',
      'persistent-storage',
    ];
    const asked = names.map((name) =>
      navigator.permissions.query({ name: name as PermissionName }).then(
        ({ state }) => state,
        () => 'denied',
      ),
    );
    return Promise.all(asked);
  });
  expect(states.filter((state) => state !== 'denied')).toEqual([]);
  const capture = await page.evaluate(
    `navigator.mediaDevices.getDisplayMedia().then(() => 'got', (error) => error.name)`,
  );
  expect(capture).toBe('NotAllowedError');
});

test("the title that the page asks for is the window's, and text is copied without a permission", async ({
  warrant,
  page,
}) => {
  await expect(page.locator(composer).first()).toBeVisible();
  expect(await call(warrant, 'app', 'setTitle', { title: '(2) Mend the test - Warrant' })).toMatchObject({ ok: true });
  await expect(page).toHaveTitle('(2) Mend the test - Warrant');
  expect(await call(warrant, 'app', 'copyText', { text: 'copied é' })).toMatchObject({ ok: true });
});

test('a folder dropped on the window gives its path', async ({ warrant, page }) => {
  test.skip(!onHost, 'the drop is made through the debugging protocol of the Chromium host');
  await expect(page.locator(composer).first()).toBeVisible();
  const dropped = path.join(warrant.home, 'dropped folder');
  mkdirSync(dropped);
  await page.evaluate(() => {
    const { warrant: bridge } = window as unknown as { warrant: { pathForFile: (file: File) => Promise<string> } };
    document.addEventListener('dragover', (event) => {
      event.preventDefault();
    });
    document.addEventListener(
      'drop',
      (event) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        const [file] = event.dataTransfer?.files ?? [];
        if (file) Object.assign(window, { dropped: bridge.pathForFile(file) });
      },
      true,
    );
  });
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [dropped], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await client.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  }
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { dropped?: Promise<string> }).dropped))
    .toBe(dropped);
});

test('the product opens no port and leaves nothing when it is closed', async ({ warrant }) => {
  test.skip(!onHost, 'Electron needs no browser beside it');
  // As a person starts it: without the port that the other tests attach by.
  const child = spawn(process.execPath, [path.join(root, 'src-main/chromium/cli.ts'), ...warrant.arguments()], {
    stdio: 'ignore',
    env: { ...warrant.environment(), WARRANT_HEADLESS: '1' },
  });
  const profile = `--user-data-dir=${path.join(warrant.data, 'window/chromium')}`;
  try {
    await expect.poll(() => processesWith(profile).length, { timeout: 90_000 }).toBeGreaterThan(0);
    expect(listeningSockets([child.pid ?? 0, ...processesWith(profile)])).toEqual([]);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await exitOf(child)).toBe(0);
  await expect.poll(() => processesWith(profile)).toEqual([]);
});

test('closing the window ends everything with code 0; the next start shows the same project', async ({
  warrant,
  page,
}) => {
  await expect(page.locator(composer).first()).toBeVisible();
  expect(await warrant.closeWindow()).toBe(0);
  await expect.poll(() => processesWith(`--user-data-dir=${path.join(warrant.data, 'window')}`)).toEqual([]);
  await warrant.start({ folder: null });
  await expect(warrant.page.locator(composer).first()).toBeVisible();
  expect(JSON.stringify(await call(warrant, 'app', 'getState'))).toContain(warrant.project);
});

test('kill -9 leaves no process, and the next start works at once', async ({ warrant, page }) => {
  await expect(page.locator(composer).first()).toBeVisible();
  await warrant.kill();
  await warrant.start();
  await expect(warrant.page.locator(composer).first()).toBeVisible();
  await warrant.kill();
  await expect.poll(() => processesWith(`--user-data-dir=${path.join(warrant.data, 'window')}`)).toEqual([]);
});

test('a second start hands its folder over to the first and ends at once', async ({ warrant, page }) => {
  test.skip(!onHost, "started here by the host's own command line");
  await expect(page.locator(composer).first()).toBeVisible();
  const other = path.join(warrant.home, 'other project');
  mkdirSync(other);
  const second = spawn(
    process.execPath,
    [path.join(root, 'src-main/chromium/cli.ts'), ...warrant.arguments({ folder: other })],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...warrant.environment(), WARRANT_HEADLESS: '1' },
    },
  );
  let said = '';
  second.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  expect(await exitOf(second)).toBe(0);
  expect(said).toContain('open already');
  await expect.poll(async () => JSON.stringify((await call(warrant, 'projects', 'list')).value)).toContain(other);
});

test('a page that crashed is loaded again', async ({ warrant, page }) => {
  test.skip(!onHost, 'the crash is made through the debugging protocol of the Chromium host');
  await expect(page.locator(composer).first()).toBeVisible();
  const client = await page.context().newCDPSession(page);
  const log = path.join(warrant.data, 'logs/warrant.log');
  client.send('Page.crash').catch(() => undefined);
  const logged = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  await expect.poll(logged).toContain('the page crashed');
  await expect.poll(() => logged().split('usable').length - 1, { timeout: 90_000 }).toBeGreaterThan(1);
});

test('a damaged database is told in the window, and put aside only when the person says so', async ({ warrant }) => {
  writeFileSync(path.join(warrant.data, 'warrant.db'), 'this is no database, '.repeat(1000), { mode: 0o600 });
  const page = await warrant.start();
  await expect(page.getByRole('heading', { name: 'Warrant cannot start' })).toBeVisible();
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Warrant cannot start' })).toBeVisible();
  expect(readdirSync(warrant.data).filter((name) => name.includes('damaged'))).toEqual([]);
  await page.getByRole('link', { name: 'begin a new one' }).click();
  await expect(page.locator(composer).first()).toBeVisible();
  expect(readdirSync(warrant.data).filter((name) => name.includes('damaged'))).not.toEqual([]);
});

test('a data folder that cannot be used is named, with what to do, and the start ends with code 1', async ({
  warrant,
}) => {
  test.skip(!onHost, "started here by the host's own command line");
  const file = path.join(warrant.home, 'a file');
  writeFileSync(file, '');
  chmodSync(file, 0o600);
  const child = spawn(process.execPath, [path.join(root, 'src-main/chromium/cli.ts'), ...warrant.arguments()], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...warrant.environment({ WARRANT_DATA: file }), WARRANT_HEADLESS: '1' },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  expect(await exitOf(child)).toBe(1);
  expect(said).toContain(file);
  expect(said).toContain('WARRANT_DATA');
});
