import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as standIn from '../../../src-main/chromium/electron.ts';
import { systemQuestion, toMessageBox } from '../../../src-main/desktop/confirm.ts';
import { runtimeName } from '../../../src-main/desktop/desktop-host.ts';
import { menuTemplate } from '../../../src-main/desktop/menu.ts';
import { folderOf } from '../../../src-main/desktop/opened-folders.ts';
import { isPageAddress, isPageOrigin } from '../../../src-main/desktop/page-address.ts';
import { isVisible, readWindowState } from '../../../src-main/desktop/window-state.ts';
import { globSync } from 'node:fs';
import { tempFolder } from '../../helpers/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../../..');

test('the stand-in has every name that the desktop imports from electron as a value', () => {
  const files = globSync('src-main/{main.ts,desktop/**/*.ts}', { cwd: root });
  const names = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const lists = [...text.matchAll(/import \{([^}]*)\} from 'electron'/g)].map((match) => match[1] ?? '');
    return lists.flatMap((list) => list.split(',').map((name) => name.trim()));
  });
  const values = names.filter((name) => name !== '' && !name.startsWith('type '));
  expect(values.length).toBeGreaterThan(5);
  const types = new Set(['MenuItemConstructorOptions', 'IpcMainInvokeEvent']);
  expect(values.filter((name) => !types.has(name) && !(name in standIn))).toEqual([]);
});

test('a question of the system shows hidden characters, and Enter and Esc give the safe answer; this host asks none', () => {
  const question = { title: 'Run it?', message: 'It runs.', verbatim: 'echo\u202e key\nrm', accept: 'Allow' };
  expect(toMessageBox(question)).toMatchObject({
    ...{ detail: 'It runs.\n\necho\\u{202E} key\\u{A}rm', buttons: ['Cancel', 'Allow'], defaultId: 0, cancelId: 0 },
  });
  expect(systemQuestion()).toBeNull();
});

test("the folder of a start is the flag's; a plain argument counts in a packaged application only", () => {
  expect(folderOf(['node', 'cli.ts', '/app', '--folder=shop'], '/home/me', false)).toBe('/home/me/shop');
  expect(folderOf(['electron', '/app'], '/home/me', false)).toBeUndefined();
  expect(folderOf(['/opt/Warrant/warrant', '--no-sandbox', 'shop'], '/home/me', true)).toBe('/home/me/shop');
  expect(folderOf(['/opt/Warrant/warrant'], '/home/me', true)).toBeUndefined();
});

test('only the page itself is the page', () => {
  expect(isPageAddress('app://main/index.html#a', true)).toBe(true);
  for (const url of [
    'app://main/other.html',
    'app://other/index.html',
    'https://main/index.html',
    'about:blank',
    'x',
    'app://main.evil/index.html',
  ]) {
    expect(isPageAddress(url, true)).toBe(false);
  }
  expect(isPageOrigin('app://main/other.html', true)).toBe(true);
  for (const url of ['app://mainx/', 'file:///index.html', 'https://main.app.invalid/', '']) {
    expect(isPageOrigin(url, true)).toBe(false);
  }
});

test('a window is put back only where its title bar can be reached', () => {
  const area = { x: 0, y: 0, width: 1920, height: 1080 };
  const bounds = { x: 100, y: 100, width: 1000, height: 700 };
  expect(isVisible(bounds, [area])).toBe(true);
  expect(isVisible({ ...bounds, x: 3000 }, [area])).toBe(false);
  expect(isVisible({ ...bounds, y: -200 }, [area])).toBe(false);
  expect(isVisible(bounds, [])).toBe(false);
});

test.each(['', '{', '{"x":1}', '{"x":0,"y":0,"width":1,"height":1,"maximized":false}', '[]'])(
  'a kept window state of %j counts as none',
  async (text) => {
    const file = path.join(await tempFolder(), 'window.json');
    writeFileSync(file, text);
    expect(readWindowState(file)).toMatchObject({ width: 1280, height: 820, maximized: false });
  },
);

test('the size of a window is kept', async () => {
  const file = path.join(await tempFolder(), 'window.json');
  writeFileSync(file, JSON.stringify({ x: 1, y: 2, width: 900, height: 700, maximized: true }));
  expect(readWindowState(file)).toMatchObject({ width: 900, height: 700, maximized: true });
});

test('the runtime is named for people', () => {
  expect(runtimeName('Mozilla/5.0 Chrome/156.0.8078.109 Electron/45.5.0 Safari/537.36')).toBe('Electron 45');
  expect(runtimeName('Mozilla/5.0 HeadlessChrome/156.0.8078.114')).toBe('Chromium 156');
  expect(runtimeName('')).toBe('Chromium');
});

test('commands of the menu are sent, and the page keeps its own shortcuts', () => {
  const sent: string[] = [];
  const file = menuTemplate((command) => sent.push(command), 'linux')[0];
  const items = Array.isArray(file?.submenu) ? file.submenu : [];
  const [newChat] = items;
  newChat?.click?.(undefined as never, undefined, undefined as never);
  expect(sent).toEqual(['new-chat']);
  expect(items.filter((item) => item.accelerator !== undefined && item.registerAccelerator !== false)).toEqual([]);
});
