// The Chromium host with a small application: what the page can and cannot reach, and that nothing outlives it.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { browserMissing, HostApp, listeningSockets } from '../helpers/host-app.ts';
import { patient } from '../helpers/patient.ts';

const missing = browserMissing();

describe.skipIf(missing !== '')(`the Chromium host${missing && ` (skipped: ${missing})`}`, () => {
  let host: HostApp;
  beforeAll(async () => {
    host = new HostApp();
    await host.event('ready');
  });
  afterAll(async () => {
    await host.end();
    host.removeData();
  });

  test('leaks none of its names, and none of Node, to the page', async () => {
    const names = ['__host', '__deliver', '__file', 'require', 'ipcRenderer', 'process', 'module', 'global'];
    expect(await host.page(`[${names.map((name) => `typeof ${name}`).join()}]`)).toEqual(names.map(() => 'undefined'));
  });

  test('functions of the bridge belong to the page: their constructor reaches no other world', async () => {
    expect(await host.page(`bridge.echo.constructor('return typeof __host + typeof __deliver')()`)).toBe(
      'undefinedundefined',
    );
  });

  test('the bridge is frozen and cannot be replaced', async () => {
    expect(
      await host.page(`(() => { 'use strict';
        const tries = [() => { window.bridge = 1 }, () => { bridge.echo = 1 }, () => { bridge.nested.deep = 1 }, () => { bridge.more = 1 }];
        return tries.map((run) => { try { run(); return 'changed' } catch (e) { return e.constructor.name } });
      })()`),
    ).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError']);
  });

  test('values, callbacks, returned functions and errors cross the bridge', async () => {
    expect(
      await host.page(`(() => {
        const seen = [];
        const done = bridge.each((n, o) => seen.push(n, o.n));
        const values = bridge.nested.deep.values();
        const made = bridge.makeFunction();
        let thrown; try { bridge.throws() } catch (e) { thrown = [e instanceof Error, e.message] }
        let uncloneable; try { bridge.echo(document) } catch (e) { uncloneable = e.constructor.name }
        return { done, seen, map: values instanceof Map && values.get(1) instanceof Date, made: [made.increment(41), made.constant], thrown, uncloneable, bytes: bridge.byteLength(new Uint8Array(1000)) };
      })()`),
    ).toEqual({
      done: 'done',
      seen: [1, 1, 2, 2, 3, 3],
      map: true,
      made: [42, 7],
      thrown: [true, 'bad'],
      uncloneable: 'TypeError',
      bytes: 1000,
    });
  });

  test('messages to main answer in JSON, odd text and keys included, and failures reject', async () => {
    expect(
      await host.page(`(async () => {
        const sent = { smile: '😀é\\u0000\\u2028', lone: 'a\\ud800b', ['__proto__']: { x: 1 }, big: 1e21, list: [null, true] };
        const got = await bridge.echo(sent);
        const failure = await bridge.fail().catch((e) => e.message);
        return [got.smile === sent.smile, got.lone === sent.lone, Object.keys(got).includes('__proto__'), got.big === sent.big, failure];
      })()`),
    ).toEqual([true, true, true, true, expect.stringContaining('from main')]);
  });

  test('a page that patches its built-ins sees neither a message nor a secret', async () => {
    expect(
      await host.page(`(async () => {
        const seen = [];
        const kept = [EventTarget.prototype.dispatchEvent, EventTarget.prototype.addEventListener, CustomEvent, Reflect.apply, Array.prototype.map, Object.defineProperty];
        EventTarget.prototype.dispatchEvent = function (e) { seen.push(e.type); return kept[0].call(this, e) };
        EventTarget.prototype.addEventListener = function (t) { seen.push(t); return kept[1].apply(this, arguments) };
        window.CustomEvent = class extends kept[2] { constructor(t, o) { seen.push(t); super(t, o) } };
        Reflect.apply = (f, t, a) => { seen.push('apply'); return f.apply(t, a) };
        Array.prototype.map = function (...a) { seen.push('map'); return kept[4].apply(this, a) };
        Array.prototype.some = function () { seen.push('some'); return false };
        const answer = await bridge.echo({ list: [{ deep: [1] }] });
        [EventTarget.prototype.dispatchEvent, EventTarget.prototype.addEventListener, window.CustomEvent, Reflect.apply, Array.prototype.map] = kept;
        return [answer, seen];
      })()`),
    ).toEqual([{ list: [{ deep: [1] }] }, []]);
  });

  test('a frame gets no bridge and takes no message', async () => {
    expect(
      await host.page(`(async () => {
        const frame = document.createElement('iframe'); frame.src = '/frame.html';
        document.body.append(frame); await new Promise((r) => { frame.onload = r });
        return [frame.contentDocument.title, typeof frame.contentWindow.bridge, typeof frame.contentWindow.__host, await bridge.echo('still here')];
      })()`),
    ).toEqual(['child', 'undefined', 'undefined', 'still here']);
  });

  test('the page reaches no network, not even this machine', async () => {
    expect(
      await host.page(`Promise.all([
        fetch('http://127.0.0.1:1/').then(() => 'reached', () => 'blocked'),
        fetch('https://example.com/').then(() => 'reached', () => 'blocked'),
        new Promise((r) => { const s = new WebSocket('wss://127.0.0.1:1/'); s.onerror = () => r('blocked'); s.onopen = () => r('reached') }),
        new Promise((r) => { const i = new Image(); i.onerror = () => r('blocked'); i.onload = () => r('reached'); i.src = 'https://example.com/x.png' }),
      ])`),
    ).toEqual(['blocked', 'blocked', 'blocked', 'blocked']);
  });

  test('every permission is denied', async () => {
    const names = [
      'geolocation',
      'notifications',
      'camera',
      'microphone',
      'midi',
      'clipboard-read',
      'clipboard-write',
      'persistent-storage',
      'background-sync',
      'accelerometer',
      'screen-wake-lock',
      'display-capture',
      'idle-detection',
      'local-fonts',
      'window-management',
    ];
    const states = await host.page(
      `Promise.all(${JSON.stringify(names)}.map((name) => navigator.permissions.query({ name }).then((s) => [name, s.state], () => [name, 'unknown'])))`,
    );
    const open = (states as string[][]).filter(([, state]) => state === 'granted' || state === 'prompt');
    expect(open).toEqual([]);
    expect(
      await host.page(`Promise.all([
        navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'got', () => 'refused'),
        Notification.requestPermission(),
      ])`),
    ).toEqual(['refused', 'denied']);
  });

  test('a new window is refused, the handler is told, and no page appears', async () => {
    await host.page(`(() => {
      window.open('https://example.com/one');
      const link = document.createElement('a'); link.href = 'https://example.com/two'; link.target = '_blank';
      document.body.append(link); link.click();
    })()`);
    await vi.waitFor(async () => {
      expect(await host.main('return context.log.opened')).toEqual(
        expect.arrayContaining(['https://example.com/one', 'https://example.com/two']),
      );
    }, patient);
    await vi.waitFor(async () => {
      const count = await host.main(
        `return context.window.webContents.cdp.send('Target.getTargets').then((r) => r.targetInfos.filter((t) => t.type === 'page').length)`,
      );
      expect(count).toBe(1);
    }, patient);
  });

  test('leaving the page is asked and refused; its own load was not asked', async () => {
    await host.page(`void (location.href = 'https://example.com/away')`);
    await vi.waitFor(async () => {
      expect(await host.main('return context.log.navigations')).toEqual(['https://example.com/away']);
    }, patient);
    expect(await host.page('location.href')).toBe('https://main.app.invalid/index.html');
    expect(await host.main('return context.window.webContents.getURL()')).toBe('app://main/index.html');
  });

  test('the bridge and pushed events work again after a reload, in order', async () => {
    await host.main(
      `const loaded = new Promise((r) => context.window.webContents.once('did-finish-load', r)); context.window.webContents.reload(); return loaded.then(() => 1)`,
    );
    await host.page(`(window.got = [], bridge.onEvent((n) => got.push(n)), 1)`);
    await host.main(`for (let n = 0; n < 50; n++) context.window.webContents.send('event', n)`);
    await vi.waitFor(async () => {
      expect(await host.page('got')).toEqual(Array.from({ length: 50 }, (_, n) => n));
    }, patient);
  });

  test('the theme of the application overrides that of the system, and can be given back', async () => {
    const scheme = async (source: string): Promise<unknown> => {
      await host.main(`context.nativeTheme.themeSource = '${source}'`);
      return host.page(`matchMedia('(prefers-color-scheme: dark)').matches`);
    };
    const system = await scheme('system');
    expect([await scheme('dark'), await scheme('light'), await scheme('system')]).toEqual([true, false, system]);
  });

  test('the title, the place of the window and a second window follow the application', async () => {
    await host.main(
      `context.window.setTitle('Renamed'); context.window.setBounds({ x: 30, y: 40, width: 700, height: 500 })`,
    );
    await vi.waitFor(async () => {
      expect(await host.page('document.title')).toBe('Renamed');
      expect(await host.main('return context.window.getBounds()')).toEqual({ x: 30, y: 40, width: 700, height: 500 });
    }, patient);
    const second = `const w = new context.BrowserWindow({ width: 500, height: 400 });
      return w.loadURL('app://main/two.html').then(() => { const url = w.webContents.getURL(); w.close(); return [url, context.BrowserWindow.getAllWindows().length] })`;
    expect(await host.main(second)).toEqual(['app://main/two.html', 1]);
  });

  test('the path of a file made by the page is empty, and what is no file too', async () => {
    expect(
      await host.page(`Promise.all([bridge.pathForFile(new File(['x'], 'a.txt')), bridge.pathForFile('x')])`),
    ).toEqual(['', '']);
  });

  test('a load that fails rejects, also when no load event ever comes', async () => {
    expect(
      await host.main(
        `const w = new context.BrowserWindow({}); return w.loadURL('https://example.com/').then(() => 'loaded', (e) => { w.close(); return e.code })`,
      ),
    ).toBe('page-failed');
  });

  test('no port listens, and the browser gets no key of the environment', () => {
    const pids = [...host.browserPids(), host.process.pid ?? 0];
    expect(pids.length).toBeGreaterThan(1);
    expect(listeningSockets(pids)).toEqual([]);
    const [browser = 0] = host.browserPids();
    expect(readFileSync(`/proc/${String(browser)}/environ`, 'utf8')).not.toContain('not-for-the-browser');
  });
});

describe.skipIf(missing !== '')(`the life of the Chromium host${missing && ` (skipped: ${missing})`}`, () => {
  const hosts: HostApp[] = [];
  const start = (options: ConstructorParameters<typeof HostApp>[0] = {}): HostApp => {
    const host = new HostApp(options);
    hosts.push(host);
    return host;
  };
  afterAll(async () => {
    for (const host of hosts) {
      await host.end('SIGKILL');
      host.removeData();
    }
  });
  const browserGone = (host: HostApp): Promise<void> =>
    vi.waitFor(() => {
      expect(host.browserPids()).toEqual([]);
    }, patient);

  test('SIGTERM ends it with code 0 and leaves no browser', async () => {
    const host = start();
    await host.event('ready');
    expect(host.browserPids()).not.toEqual([]);
    expect(await host.end('SIGTERM')).toBe(0);
    await browserGone(host);
  });

  test('kill -9 leaves no browser, and the next start on the same data opens its window', async () => {
    const host = start();
    await host.event('ready');
    await host.end('SIGKILL');
    const again = start({ data: host.data });
    await again.event('ready');
    expect(await again.page('bridge.echo(1)')).toBe(1);
    await again.end();
    await browserGone(again);
  });

  test('closing the window ends the application', async () => {
    const host = start();
    await host.event('ready');
    await host.main(`context.window.webContents.cdp.sendQuietly('Page.close')`).catch(() => undefined);
    await host.event('window-all-closed');
    await vi.waitFor(() => {
      expect(host.process.exitCode).toBe(0);
    }, patient);
  });

  test('a crashed page is reported, and can be loaded again', async () => {
    const host = start();
    await host.event('ready');
    await host.main(`const w = context.window.webContents; const gone = new Promise((r) => w.once('render-process-gone', (_e, d) => r(d.reason)));
      w.cdp.sendQuietly('Page.navigate', { url: 'chrome://crash' }); return gone`);
    await host.main(`return context.window.loadURL('app://main/index.html').then(() => 1)`);
    expect(await host.page('bridge.echo(2)')).toBe(2);
    await host.end();
  });

  test('a second start hands its folder over to the first and ends; no second browser runs', async () => {
    const first = start();
    await first.event('ready');
    const second = start({ data: first.data, folder: '/some/folder' });
    await second.event('second');
    expect(await first.event('second-instance')).toMatchObject({ data: { folder: '/some/folder' } });
    await vi.waitFor(() => {
      expect(second.process.exitCode).toBe(0);
    }, patient);
    await first.end();
  });
});
