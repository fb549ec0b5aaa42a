// A project's instructions for agents: said under the bar, read as they are, accepted or not.
import { expect, test } from './chat-page.ts';
import { expectAccessible } from './renderer-fixture.ts';

const TEXT = '# Rules\n\nRun `npm test` before you say that you are done.\nNever touch\u202e dist/.\n';

test('what a project tells agents is read with its hidden characters before it is used, and can be taken back', async ({
  chat,
}) => {
  await chat.open();
  const { page } = chat;
  await page.evaluate((text) => {
    const file = { name: 'AGENTS.md', text, cut: true };
    window.fake.content.instructions = { files: [file], digest: 'a'.repeat(64), state: 'new' };
  }, TEXT);
  await page.keyboard.press('Control+n');
  const note = page.getByRole('status').filter({ hasText: 'This project has instructions for agents in AGENTS.md' });
  await expect(note).toContainText('They are not used until you have read them.');
  await expectAccessible(page);
  await note.getByRole('button', { name: 'Read them' }).click();
  const dialog = page.getByRole('dialog', { name: 'Instructions of this project' });
  await expect(dialog).toContainText('Nothing of this is used until you say so.');
  await expect(dialog.getByRole('region', { name: 'Text of AGENTS.md' })).toContainText('Run `npm test` before');
  await expect(dialog.getByRole('img', { name: /right-to-left/i })).toBeVisible();
  await expect(dialog).toContainText('The file goes on; what follows is not used.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Use them in this project' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(note).toHaveCount(0);
  const decided = await chat.inputs('projects.decideInstructions');
  expect(decided).toMatchObject([{ choice: { digest: 'a'.repeat(64), use: true } }]);
  const line = page.getByRole('region', { name: 'Instructions of the project' });
  if (!(await line.isVisible())) await page.keyboard.press('Control+j');
  await expect(line).toContainText('AGENTS.md: used.');
  await line.getByRole('button', { name: 'Read the instructions' }).click();
  await dialog.getByRole('button', { name: 'Do not use them' }).click();
  await expect(line).toContainText('AGENTS.md: not used.');
});
