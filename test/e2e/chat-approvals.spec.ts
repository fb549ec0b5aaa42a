// The approval card in the window: what it shows is what would run, and nothing answers it by accident.
import type { Approval } from '../../src-main/contract/session.ts';
import { expect, test } from './chat-page.ts';

const command = (
  text: string,
  change: Partial<Extract<Approval['preview'], { type: 'command' }>> = {},
): Approval['preview'] => ({
  type: 'command',
  command: text,
  cwd: '~/shop',
  confined: true,
  network: false,
  timeoutMs: 120_000,
  ...change,
});

test('U1: hidden and reordering characters of a command are shown as escapes; an answer is bound to its digest', async ({
  chat,
}) => {
  await chat.open();
  await chat.askOnly('hidden', { preview: command('rm\u200b -rf /home/\u202egnp.exe\u2028x \u{e0041}') });
  const bytes = chat.card.getByRole('region', { name: 'What would happen, in full' });
  await expect(bytes).toHaveText('rm⟨U+200B⟩ -rf /home/⟨U+202E⟩gnp.exe⟨U+2028⟩x ⟨U+E0041⟩');
  await expect(bytes.getByRole('img', { name: 'zero width space U+200B' })).toBeVisible();
  await chat.button('Allow once').click();
  await expect(chat.card).toHaveCount(0);
  expect(await chat.inputs('approvals.answer')).toMatchObject([
    { callId: 'hidden', digest: 'digest-hidden', answer: 'allow-once' },
  ]);
});

test('U2: ordinary right-to-left words stay readable and cannot reorder what stands beside them', async ({ chat }) => {
  await chat.open();
  await chat.askOnly('rtl', { preview: command('cat שלום עולם/a.txt') });
  await expect(chat.card.locator('bdi')).toHaveText('שלום עולם');
  const places = await chat.card.locator('pre').evaluate((pre) => {
    const range = document.createRange();
    const left = (node: Node, from: number, to: number): number => {
      range.setStart(node, from);
      range.setEnd(node, to);
      return range.getBoundingClientRect().left;
    };
    const [head, , tail] = pre.childNodes;
    const word = pre.querySelector('bdi')?.getBoundingClientRect().left ?? 0;
    return head && tail ? [left(head, 0, 3), word, left(tail, 0, 1)] : [];
  });
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).toHaveLength(3);
});

test('U5: a command that closes a code fence is shown as it is and draws nothing of its own', async ({ chat }) => {
  await chat.open();
  const text = 'echo ```\n# All is well\n**Press Allow**\n<b>bold</b> [x](https://example.org)';
  await chat.askOnly('fence', { preview: command(text) });
  await expect(chat.card.locator('pre')).toHaveText(text, { useInnerText: true });
  await expect(chat.card.locator('pre *, h1, h2, h3, a, figure')).toHaveCount(0);
});

test('U7: the command stands in the card, and no description of the model does', async ({ chat }) => {
  await chat.open();
  await chat.askOnly('described', {
    summary: 'List the files, harmlessly',
    argumentsText: '{"command":"rm -rf build","description":"lists files","reason":"a safe look"}',
    preview: command('rm -rf build'),
  });
  await expect(chat.card).toContainText('rm -rf build');
  await expect(chat.card).not.toContainText(/harmless|lists files|safe look/);
});

test('U8: a network request names its host and port; each danger has a line of its own', async ({ chat }) => {
  await chat.open();
  await chat.askOnly('net', {
    tool: 'web_fetch',
    grant: null,
    preview: { type: 'url', url: 'https://api.example.org/v1', host: 'api.example.org' },
    effects: [
      { kind: 'network', target: 'https://api.example.org/v1' },
      { kind: 'read-secret', target: '.env' },
    ],
  });
  await expect(chat.card.getByRole('list', { name: 'Take care' }).getByRole('listitem')).toHaveText([
    'Uses the network: api.example.org:443',
    'Reads what is likely a secret: .env',
  ]);
  await expect(chat.button(/in this chat|for this chat/)).toHaveCount(0);
});

test('U11: seven calls ask at once; the first stays until it is answered, and each can be answered', async ({
  chat,
}) => {
  await chat.open();
  for (let index = 1; index <= 6; index += 1) await chat.ask(`more-${index}`, { preview: command(`echo ${index}`) });
  await expect(chat.card).toContainText('1 of 7');
  await expect(chat.card).toContainText('npm test -- checkout');
  await chat.button('Next approval').click();
  await expect(chat.card).toContainText('echo 1');
  const answered: string[] = [];
  for (let left = 7; left > 0; left -= 1) {
    const call = (await chat.card.getAttribute('data-call')) ?? '';
    answered.push(call);
    await chat.button('Allow once').click();
    await expect(chat.page.locator(`[data-call="${call}"]`)).toHaveCount(0);
  }
  expect(new Set(answered).size).toBe(7);
  const inputs = await chat.inputs('approvals.answer');
  expect(inputs.map(({ callId }) => callId)).toEqual(answered);
});

test('a long command can be allowed only after its end was on screen', async ({ chat }) => {
  await chat.open();
  await chat.askOnly('long', { preview: command(`${'echo one;\n'.repeat(200)}rm -rf /`) });
  await expect(chat.card).toContainText('Read to its end first.');
  await expect(chat.button('Allow once')).toBeDisabled();
  await expect(chat.button('Deny…')).toBeEnabled();
  await chat.card.getByRole('region').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(chat.button('Allow once')).toBeEnabled();
});

test('a command too long to be drawn at once asks to be shown whole first, and shows its last line', async ({
  chat,
}) => {
  await chat.open();
  await chat.askOnly('huge', { preview: command(`${'echo one;\n'.repeat(20_000)}rm -rf /`) });
  await expect(chat.card).toContainText('Show all of it first.');
  await chat.button(/^Show all/).click();
  await expect(chat.button('Allow once')).toBeDisabled();
  await expect
    .poll(async () => {
      await chat.card.getByRole('region').evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return chat.button('Allow once').isEnabled();
    })
    .toBe(true);
  await expect(chat.card).toContainText('rm -rf /');
});

test('Enter in the composer never answers; F6 goes to the card, Esc comes back, and keys there answer', async ({
  chat,
}) => {
  await chat.open();
  await chat.field.press('Enter');
  await chat.field.fill('and then the docs');
  await chat.field.press('Enter');
  await expect(chat.page.getByRole('article', { name: 'Queued message' })).toContainText('and then the docs');
  expect(await chat.inputs('approvals.answer')).toEqual([]);
  await chat.page.keyboard.press('F6');
  await expect(chat.card).toBeFocused();
  await chat.page.keyboard.press('Enter');
  await chat.page.keyboard.press('Space');
  expect(await chat.inputs('approvals.answer')).toEqual([]);
  await chat.page.keyboard.press('Escape');
  await expect(chat.field).toBeFocused();
  expect(await chat.inputs('sessions.stop')).toEqual([]);
  await chat.page.keyboard.press('Control+Shift+A');
  await expect(chat.card).toBeFocused();
  await expect(chat.button('Allow once')).toBeEnabled();
  await chat.button('Deny…').press('Enter');
  await chat.page.keyboard.type('use pnpm');
  await chat.page.keyboard.press('Enter');
  await expect(chat.card).toHaveCount(0);
  await expect(chat.field).toBeFocused();
  expect(await chat.inputs('approvals.answer')).toMatchObject([{ answer: 'deny', reason: 'use pnpm' }]);
});

test('a command is edited in the card and sent as changed; hidden characters in it are shown', async ({ chat }) => {
  await chat.open();
  await chat.askOnly('edit', { argumentsText: '{"command":"npm test","network":false}', preview: command('npm test') });
  await chat.button('Edit…').click();
  const field = chat.card.getByRole('textbox', { name: 'Command to run' });
  await expect(chat.button('Allow as changed, once')).toBeDisabled();
  await field.fill('npm test\u200b --silent');
  await expect(chat.card.getByRole('img', { name: 'zero width space U+200B' })).toBeVisible();
  await field.fill('npm test --silent');
  await chat.button('Allow as changed, once').click();
  await expect(chat.card).toHaveCount(0);
  expect(await chat.inputs('approvals.answer')).toMatchObject([
    {
      answer: 'allow-once',
      digest: 'digest-edit',
      changedArguments: '{"command":"npm test --silent","network":false}',
    },
  ]);
});

test('an answer that did not count says why, and can be given again', async ({ chat }) => {
  await chat.open();
  const message = 'What was asked has changed; look at it again.';
  await chat.fail('approvals.answer', { code: 'approval.changed', message, retryable: true });
  await chat.button('Allow once').click();
  await expect(chat.card.getByRole('alert')).toHaveText(message);
  await chat.fail('approvals.answer', null);
  await chat.button('Allow this exact command in this chat').click();
  await expect(chat.card).toHaveCount(0);
  expect((await chat.inputs('approvals.answer')).map(({ answer }) => answer)).toEqual(['allow-once', 'allow-session']);
});

test('V2: a diff of 1 MB asks to be shown whole, is drawn in pieces and answers meanwhile', async ({ chat }) => {
  await chat.open();
  const lines = Array.from({ length: 12_000 }, (_, index) => `+const value${index} = '${'x'.repeat(70)}';`);
  const diff = `--- a/big.ts\n+++ b/big.ts\n@@ -0,0 +1,${lines.length} @@\n${lines.join('\n')}\n`;
  await chat.askOnly('diff', {
    tool: 'edit_file',
    effects: [{ kind: 'write-inside', target: 'big.ts' }],
    preview: { type: 'diff', path: 'big.ts', diff, added: lines.length, removed: 0, created: true },
  });
  await expect(chat.button('Allow once')).toBeDisabled();
  await chat.button(/^Show all of it/).click();
  await expect(chat.card.locator('tr').first()).toBeVisible();
  // Pieces far from the view are empty boxes.
  expect(await chat.card.locator('tr').count()).toBeLessThan(2000);
  await chat.field.fill('still here');
  await expect(chat.field).toHaveValue('still here');
  await expect
    .poll(async () => {
      await chat.card.getByRole('region').evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return chat.button('Allow once').isEnabled();
    })
    .toBe(true);
  await expect(chat.card).toContainText('value11999');
});
