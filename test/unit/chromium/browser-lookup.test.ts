import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BROWSER_NAMES, browserCandidates, findBrowser } from '../../../src-main/chromium/browser-lookup.ts';
import * as launcher from '../../../src-main/launch/system-browser.js';
import { tempFolder } from '../../helpers/temp-folder.ts';

async function program(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, name);
  await writeFile(file, '#!/bin/sh\n');
  await chmod(file, 0o755);
  return file;
}

test('the better name wins over the earlier folder of PATH', async () => {
  const folder = await tempFolder();
  await program(path.join(folder, 'a'), 'google-chrome');
  const chromium = await program(path.join(folder, 'b'), 'chromium');
  const env = { PATH: [path.join(folder, 'a'), path.join(folder, 'b')].join(path.delimiter) };
  expect(findBrowser({ env, platform: 'linux' })).toBe(chromium);
});

test('WARRANT_CHROMIUM is the only candidate, and a wrong one is named with what to do', async () => {
  const folder = await tempFolder();
  await program(folder, 'chromium');
  const env = { PATH: folder, WARRANT_CHROMIUM: path.join(folder, 'none') };
  expect(() => findBrowser({ env, platform: 'linux' })).toThrow(
    expect.objectContaining({
      code: 'no-browser',
      message: expect.stringContaining(path.join(folder, 'none')) as string,
    }),
  );
});

test('a folder, or a file that is not executable, is no browser', async () => {
  const folder = await tempFolder();
  await mkdir(path.join(folder, 'chromium'));
  await writeFile(path.join(folder, 'chrome'), '');
  expect(() => findBrowser({ env: { PATH: folder }, platform: 'linux' })).toThrow(
    expect.objectContaining({ code: 'no-browser' }),
  );
});

test.each(['linux', 'darwin', 'win32'] as const)(
  'the launcher and the host look at the same places on %s',
  (platform) => {
    const env = {
      PATH: '/usr/bin:/opt/bin',
      HOME: '/home/someone',
      PROGRAMFILES: 'C:\\Programs',
      LOCALAPPDATA: 'C:\\Local',
    };
    expect(launcher.BROWSER_NAMES).toEqual([...BROWSER_NAMES]);
    expect(launcher.browserCandidates(env, platform)).toEqual(browserCandidates({ env, platform }));
    const wanted = { ...env, WARRANT_CHROMIUM: '/opt/mine' };
    expect(launcher.browserCandidates(wanted, platform)).toEqual(browserCandidates({ env: wanted, platform }));
  },
);
