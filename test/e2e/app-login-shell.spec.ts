// Started as from a desktop, without a terminal's environment: commands find the tools of the person's login shell.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ChatWindow, isThere, writeShop } from './built-app.ts';
import { expect, test } from './fixture.ts';

test('a tool that only the login shell knows is found by a command, from the start after the first on at the latest', async ({
  warrant,
}) => {
  test.skip(!/\/(ba)?sh$/.test(os.userInfo().shell ?? ''), 'the start file of this test is for sh and bash');
  writeShop(warrant.project);
  const tools = path.join(warrant.home, 'tools');
  mkdirSync(tools);
  writeFileSync(path.join(tools, 'pear-tool'), '#!/bin/sh\ntouch found\n');
  chmodSync(path.join(tools, 'pear-tool'), 0o755);
  writeFileSync(path.join(warrant.home, '.profile'), 'PATH=$HOME/tools:$PATH\nexport PATH\n');
  const env = { TERM: undefined, PATH: '/usr/bin:/bin' };
  let chat = new ChatWindow(await warrant.start({ env }));
  const kept = path.join(warrant.data, 'login-path');
  await expect.poll(() => existsSync(kept)).toBe(true);
  expect(readFileSync(kept, 'utf8')).toContain(`${tools}:`);
  await warrant.close();

  chat = new ChatWindow(await warrant.start({ env }));
  await chat.say('run pear-tool');
  await chat.allow();
  await chat.settled();
  expect(isThere(warrant, 'found')).toBe(true);
});
