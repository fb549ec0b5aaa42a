// What is wrong with what Warrant keeps: settings that cannot be read, a database that is newer, in use or damaged, a chat
// that another process holds, folders that cannot be opened. Told in the window, with the next step; nothing is lost.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { ChatWindow, isThere, writeShop } from './built-app.ts';
import { exitOf, expect, test, type Warrant } from './fixture.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Runs the built command beside the window, to be ended by the caller. */
function beside(warrant: Warrant, words: string[]): ChildProcess {
  return spawn(process.execPath, [path.join(root, 'out/main/headless.js'), ...words], {
    env: warrant.environment(),
    stdio: 'ignore',
  });
}

test('a database that is newer, or in use, and damaged settings are told in the window; afterwards all chats are there', async ({
  warrant,
}) => {
  writeShop(warrant.project);
  const made = warrant.command(['run', '--project', warrant.project, '--model', 'guide', 'summarise this project']);
  expect(made.status).toBe(0);
  const settings = path.join(warrant.data, 'settings.json');
  writeFileSync(settings, '{ "theme": "dark", ');
  const other = new Database(path.join(warrant.data, 'warrant.db'));
  const version = Number(other.pragma('user_version', { simple: true }));
  other.pragma(`user_version = ${String(version + 7)}`);

  const page = await warrant.start();
  const chat = new ChatWindow(page);
  const trouble = page.getByRole('alert');
  await expect(trouble).toContainText('written by a newer Warrant');
  await expect(trouble).toContainText('It was not touched. Update Warrant');
  await expect(page.getByRole('link', { name: 'begin a new one' })).toHaveCount(0);

  other.pragma(`user_version = ${String(version)}`);
  // The whole file is this process's own until it lets go.
  other.pragma('locking_mode = EXCLUSIVE');
  other.exec('BEGIN IMMEDIATE; COMMIT');
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Warrant is starting' })).toBeVisible();
  await expect(trouble).toContainText('in use by another process');
  other.pragma('locking_mode = NORMAL');
  other.exec('BEGIN IMMEDIATE; COMMIT');
  await page.getByRole('link', { name: 'Try again' }).click();

  await expect(chat.conversation.getByText(/Sells pears/).first()).toBeVisible();
  await expect(page.getByText(/Your settings file could not be read/)).toBeVisible();
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: /Appearance/ }).click();
  await chat.button(/^Theme:/).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect.poll(() => readFileSync(settings, 'utf8')).toContain('"theme": "dark"');
  const [kept = ''] = readdirSync(warrant.data).filter((name) => name.startsWith('settings.json.damaged-'));
  expect(readFileSync(path.join(warrant.data, kept), 'utf8')).toBe('{ "theme": "dark", ');

  await page.keyboard.press('Escape');
  other.exec('BEGIN IMMEDIATE');
  await chat.say('run touch once');
  await expect(page.getByText(/in use by another process/).first()).toBeVisible();
  await expect(chat.field).toHaveValue('run touch once');
  other.exec('ROLLBACK');
  other.close();
  await chat.field.press('Enter');
  await chat.allow();
  await chat.settled();
  expect(isThere(warrant, 'once')).toBe(true);
});

test('a chat that a run in another process holds is shown with who holds it, and can be taken over when that ended', async ({
  warrant,
}) => {
  writeShop(warrant.project);
  // So that the command runs also where it could not be confined.
  writeFileSync(path.join(warrant.data, 'settings.json'), JSON.stringify({ version: 1, confinement: false }));
  const run = beside(warrant, [
    ...['run', '--project', warrant.project, '--model', 'guide', '--allow', 'shell', '--mode', 'auto'],
    'run touch begun; sleep 120',
  ]);
  await expect.poll(() => isThere(warrant, 'begun')).toBe(true);
  const chat = new ChatWindow(await warrant.start());
  await expect(chat.page.getByText(/open elsewhere \(warrant run \(process \d+\)\)/)).toBeVisible();
  await expect(chat.conversation.getByText('run touch begun').first()).toBeVisible();
  await expect(chat.field).toBeDisabled();
  await chat.button('Look again').click();
  await expect(chat.field).toBeDisabled();
  run.kill('SIGKILL');
  await exitOf(run);
  await chat.button('Look again').click();
  await expect(chat.conversation.getByText(/interrupted/i).first()).toBeVisible();
  await chat.say('summarise this project');
  await expect(chat.conversation.getByText(/Sells pears/).first()).toBeVisible();
});

test('a folder that is a file, a loop of links, gone, or not allowed says so in the chooser; one that went away and came back goes on', async ({
  warrant,
}) => {
  writeShop(warrant.project);
  symlinkSync('loop', path.join(warrant.home, 'loop'));
  const closed = path.join(warrant.home, 'closed');
  mkdirSync(closed, { mode: 0 });
  const chat = new ChatWindow(await warrant.start());
  const { page } = chat;
  await expect(chat.field).toBeFocused();
  await page.keyboard.press('Control+O');
  const address = page.getByRole('textbox', { name: 'Path of the folder' });
  const cases: [string, RegExp][] = [
    [path.join(warrant.project, 'README.md'), /is a file. Pick the folder that holds it/],
    [path.join(warrant.home, 'loop'), /go round in a circle/],
    [path.join(warrant.home, 'nothing'), /There is no folder .* moved or deleted/],
    // Root may read everything: only other people can be refused.
    ...(process.getuid?.() === 0 ? [] : ([[closed, /You may not read/]] satisfies [string, RegExp][])),
  ];
  for (const [folder, words] of cases) {
    await address.fill(folder);
    await address.press('Enter');
    await expect(page.getByRole('dialog').getByText(words)).toBeVisible();
  }
  await page.keyboard.press('Escape');

  await chat.say('summarise this project');
  await chat.settled();
  renameSync(warrant.project, `${warrant.project}-moved`);
  await chat.say('read src/price.ts');
  await expect(page.getByText(/There is no folder/).first()).toBeVisible();
  await expect(chat.field).toHaveValue('read src/price.ts');
  renameSync(`${warrant.project}-moved`, warrant.project);
  await chat.field.press('Enter');
  await expect(chat.conversation.getByText(/export const price/).first()).toBeVisible();
});
