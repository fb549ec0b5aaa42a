// The shell that stays between calls, in the built application: a person sees what runs in it, gives it a line, and ends it
// with everything that it started.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { proposes, says, startChatServer, type ChatServer } from '../helpers/chat-server.ts';
import { ChatWindow, writeShop } from './built-app.ts';
import { expect, test, type Warrant } from './fixture.ts';
import { stillPage } from './still-page.ts';

let server: ChatServer | null = null;
test.afterEach(async () => {
  await server?.stop();
  server = null;
});

/** A chat whose model begins this command in its shell and waits a moment for it, then says that it does. */
async function chatWith(warrant: Warrant, command: string, theme: string): Promise<ChatWindow> {
  writeShop(warrant.project);
  server = await startChatServer(proposes(['shell_session', { command, timeout_ms: 300 }]), says('It runs.'));
  const tools = { shell_session: 'allow' };
  // Unconfined in auto mode, so that it begins also where it could not be confined.
  const how = { tools, confinement: false, defaultMode: 'auto' };
  const settings = { version: 1, defaultModel: server.model, findLocalModels: false, theme, ...how };
  writeFileSync(path.join(warrant.data, 'settings.json'), JSON.stringify(settings));
  const chat = new ChatWindow(await warrant.start());
  await chat.say('begin');
  await expect(chat.conversation.getByText('It runs.')).toBeVisible();
  return chat;
}

const alive = (pid: number): boolean => {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
};
const pidIn = (warrant: Warrant, name: string): number =>
  Number(readFileSync(path.join(warrant.project, name), 'utf8'));

// Begins something that ignores TERM, and something that left the group.
const STUBBORN = `trap '' TERM; setsid sh -c 'echo $$ > left; exec sleep 600' & (trap '' TERM; exec sh -c 'echo $$ > stays; exec sleep 600') & while read line; do echo "got <b>$line</b>"; done`;

test('EXEC-10: what runs in the shell is seen, given a line and ended with all that it started', async ({
  warrant,
}) => {
  test.skip(process.platform !== 'linux', 'looks at processes by /proc');
  const chat = await chatWith(warrant, STUBBORN, 'light');
  const { page } = chat;
  const strip = page.getByRole('region', { name: 'Shell' });
  await expect(strip).toContainText('Shell runs');
  await expect(strip).toContainText('not confined');
  for (const name of ['left', 'stays'])
    await expect.poll(() => existsSync(path.join(warrant.project, name))).toBe(true);
  const pids = ['left', 'stays'].map((name) => pidIn(warrant, name));
  await strip.getByRole('button', { name: /^Shell runs/ }).click();
  const line = strip.getByRole('textbox', { name: 'Line for what runs' });
  await line.fill('pears');
  await line.press('Enter');
  await expect(strip.getByLabel('Output so far')).toContainText('got <b>pears</b>');
  await expect(line).toHaveValue('');
  expect(pids.map(alive)).toEqual([true, true]);
  await strip.getByRole('button', { name: 'Stop it' }).click();
  await expect(strip).toHaveCount(0);
  for (const pid of pids) await expect.poll(() => alive(pid)).toBe(false);
  await expect(chat.field).toBeFocused();
});

test('the shell is reached, read, given a line and ended by keyboard alone; Esc goes back and stops nothing', async ({
  warrant,
}) => {
  const chat = await chatWith(warrant, 'read line; echo "got $line"; read more; echo "and $more"', 'light');
  const { page } = chat;
  const strip = page.getByRole('region', { name: 'Shell' });
  await expect(strip).toContainText('Shell runs');
  await chat.field.focus();
  await page.keyboard.press('Shift+F6');
  await expect(strip.getByRole('button', { name: 'Stop it' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(strip.getByRole('button', { name: /^Shell runs/ })).toBeFocused();
  await page.keyboard.press('Enter');
  const line = strip.getByRole('textbox', { name: 'Line for what runs' });
  await line.focus();
  await page.keyboard.type('pears');
  await page.keyboard.press('Enter');
  await expect(strip).toContainText('got pears');
  await page.keyboard.press('Escape');
  await expect(line).toHaveCount(0);
  await expect(strip.getByRole('button', { name: /^Shell runs/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(chat.field).toBeFocused();
  await expect(strip).toContainText('Shell runs');
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('Enter');
  await expect(strip).toHaveCount(0);
  await expect(chat.field).toBeFocused();
});

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing on a shell that runs, closed and open, and on one that waits (${theme})`, async ({
    warrant,
  }) => {
    const chat = await chatWith(warrant, 'echo some output; read line', theme);
    const { page } = chat;
    const check = async (where: string): Promise<void> => {
      await stillPage(page);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
      expect(violations.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
    };
    const strip = page.getByRole('region', { name: 'Shell' });
    await expect(strip).toContainText('Shell runs');
    await check('closed');
    await strip.getByRole('button', { name: /^Shell runs/ }).click();
    await expect(strip).toContainText('some output');
    await check('open');
    await strip.getByRole('textbox', { name: 'Line for what runs' }).fill('x');
    await strip.getByRole('button', { name: /^Send/ }).click();
    await expect(strip).toContainText('Shell waits');
    await check('waiting');
  });
}
