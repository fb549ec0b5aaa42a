// The transcript in the window: long chats, growing answers, hostile markdown, errors with a next step.
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import type { EntryData, WindowEntry } from '../../src-main/contract/entries.ts';
import { callId, turnId } from '../helpers/fake-entries.ts';
import { expect, test } from './chat-page.ts';
import { stillPage } from './still-page.ts';

const TURN = turnId('t1');

const answer = (
  text: string,
  change: Partial<EntryData<'assistant-message'>> = {},
): Pick<WindowEntry, 'kind' | 'data'> => ({
  kind: 'assistant-message',
  data: {
    turnId: TURN,
    step: 5,
    model: 'm',
    parts: [{ type: 'text', text }],
    finish: 'stop',
    usage: null,
    durationMs: 10,
    ...change,
  },
});

/** The conversation alone: what is read out stands beside it. */
const inChat = (page: Page, text: string): Locator =>
  page.getByRole('region', { name: 'Conversation' }).getByText(text);

const nodes = (page: { evaluate: (work: () => number) => Promise<number> }): Promise<number> =>
  page.evaluate(() => document.querySelectorAll('*').length);

test('U14: links go nowhere but through a question that shows them in full; scripts, raw HTML and images are inert', async ({
  chat,
}) => {
  await chat.open();
  await chat.settle();
  await chat.append(
    answer(
      '[run](javascript:alert(1)) [quote](https://example.org/a"onmouseover=alert(1)) [docs](https://example.org/docs?q=1) ' +
        '![pixel](https://evil.example/p.png) <img src=x onerror=alert(1)> <a href="javascript:alert(1)">raw</a> [bank](https://bank.example@evil.example)',
    ),
  );
  const message = chat.page.getByRole('article').last();
  await expect(message).toContainText('run quote docs');
  await expect(message).toContainText('<img src=x onerror=alert(1)>');
  await expect(message.locator('img, script, [onmouseover], [onerror]')).toHaveCount(0);
  const addresses = await message.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(addresses.every((address) => /^https:\/\/(example\.org|evil\.example\/p\.png)/.test(address ?? ''))).toBe(
    true,
  );
  await message.getByRole('link', { name: 'docs' }).click();
  await expect(chat.page.getByRole('dialog')).toContainText('https://example.org/docs?q=1');
  expect(await chat.inputs('app.openExternal')).toEqual([]);
});

test('V1: a block of 1.65 million characters in the history neither freezes the chat nor fills the page', async ({
  chat,
}) => {
  await chat.open();
  await chat.settle();
  await chat.append(answer('word '.repeat(330_000)));
  await expect(chat.button(/^Show all \(1\.6 MB\)/)).toBeVisible();
  await chat.field.fill('quick');
  await expect(chat.field).toHaveValue('quick');
  expect(await nodes(chat.page)).toBeLessThan(3000);
});

test('a large code block stays plain, and one that is closed is coloured and can be copied', async ({ chat }) => {
  await chat.open();
  await chat.settle();
  await chat.append(answer('```ts\nexport const answer = 42; // it\n```\n\nDone.'));
  const block = chat.page.getByRole('figure', { name: 'Code, ts' });
  await expect(block.locator('code span[style]', { hasText: 'export' }).first()).toBeVisible();
  await expect(block.locator('code')).toHaveText('export const answer = 42; // it');
  await block.getByRole('button', { name: 'Copy code' }).click();
  expect(await chat.inputs('app.copyText')).toEqual([{ text: 'export const answer = 42; // it' }]);
});

test('V7: a chat of 7,500 messages opens at its end with a bounded page', async ({ chat }) => {
  await chat.open();
  await chat.settle();
  const many = Array.from({ length: 7500 }, (_, index): Pick<WindowEntry, 'kind' | 'data'> =>
    index % 2 === 0
      ? { kind: 'user-message', data: { turnId: turnId(`m${index}`), text: `Question ${index}`, attachments: [] } }
      : answer(`Answer ${index}: ${'some words '.repeat(index % 40)}`, { turnId: turnId(`m${index - 1}`) }),
  );
  await chat.append(...many);
  await expect(inChat(chat.page, 'Answer 7499')).toBeInViewport();
  expect(await nodes(chat.page)).toBeLessThan(2500);

  const scroller = chat.page.getByRole('region', { name: 'Conversation' }).locator('..');
  await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await expect(chat.button(/To the end/)).toBeVisible();
  expect(await nodes(chat.page)).toBeLessThan(2500);
});

test('V11: scrolled far up in a long chat, the last answer is still in the page for a screen reader', async ({
  chat,
}) => {
  await chat.open();
  await chat.settle();
  await chat.append(
    ...Array.from({ length: 300 }, (_, index) =>
      answer(`Answer ${index}. ${'More words here. '.repeat(20)}`, { step: index }),
    ),
  );
  await expect(inChat(chat.page, 'Answer 299.')).toBeInViewport();
  const scroller = chat.page.getByRole('region', { name: 'Conversation' }).locator('..');
  await scroller.evaluate((element) => element.scrollTo(0, 0));
  await expect(inChat(chat.page, 'The checkout request sometimes')).toBeInViewport();
  await expect(inChat(chat.page, 'Answer 299.')).toBeAttached();
  await expect(chat.page.getByRole('heading', { name: /^Warrant,/ }).last()).toBeAttached();
  await expect(inChat(chat.page, 'Answer 150.')).not.toBeAttached();
});

test('the view follows a growing answer only while the reader is at the end', async ({ chat }) => {
  await chat.open();
  await chat.settle();
  const grow = (text: string) => chat.emit({ type: 'text-delta', turnId: TURN, step: 7, text });
  await chat.emit({ type: 'step-start', turnId: TURN, step: 7 });
  for (let index = 0; index < 30; index += 1) await grow(`Line ${index} of the answer.\n\n`);
  await expect(inChat(chat.page, 'Line 29 of')).toBeInViewport();
  const scroller = chat.page.getByRole('region', { name: 'Conversation' }).locator('..');
  await scroller.hover();
  await chat.page.mouse.wheel(0, -600);
  await expect(chat.button('New below')).toBeVisible();
  const before = await scroller.evaluate((element) => element.scrollTop);
  for (let index = 30; index < 60; index += 1) await grow(`Line ${index} of the answer.\n\n`);
  await expect(inChat(chat.page, 'Line 59 of')).toBeAttached();
  expect(await scroller.evaluate((element) => element.scrollTop)).toBe(before);
  await chat.button('New below').click();
  await expect(inChat(chat.page, 'Line 59 of')).toBeInViewport();
});

test('what is opened in a call stays where it is, also when the reader was at the end', async ({ chat }) => {
  await chat.open();
  await chat.settle();
  const line = chat.button(/^Edited/);
  const before = (await line.boundingBox())?.y;
  await line.click();
  await expect(chat.page.getByRole('group', { name: 'Changes to src/checkout.ts' })).toBeVisible();
  expect((await line.boundingBox())?.y).toBe(before);
});

test('an answer that was cut says so and goes on by a button; a failed turn says what to do next', async ({ chat }) => {
  await chat.open();
  await chat.settle();
  await chat.append(answer('It begins', { finish: 'length' }));
  await expect(chat.page.getByText('Cut here: the answer reached the length limit')).toBeVisible();
  await chat.button('Continue').click();
  await expect.poll(() => chat.inputs('sessions.continueTurn')).toHaveLength(1);
  await chat.settle();
  const message = 'The service refused the key (401). Your message is kept. Enter the key again in Settings.';
  const outcome = { type: 'failed', error: { code: 'provider.auth', message, retryable: false } } as const;
  await chat.append({ kind: 'turn-end', data: { turnId: TURN, outcome, steps: 1, durationMs: 5 } });
  await expect(chat.page.getByText(message)).toBeVisible();
  await expect(chat.button('Try again')).toBeVisible();
  await chat.button('Open settings').click();
  await expect(chat.page.getByRole('heading', { name: 'Settings' }).first()).toBeVisible();
});

test('a result that came trimmed is fetched whole when it is opened, with terminal colours taken out', async ({
  chat,
}) => {
  await chat.open();
  await chat.settle();
  const common = { turnId: TURN, callId: callId('c-t'), tool: 'shell', summary: 'Run ls' };
  await chat.append(
    {
      kind: 'tool-start',
      data: {
        ...common,
        digest: 'd',
        preview: { type: 'command', command: 'ls', cwd: '~/shop', confined: true, network: false, timeoutMs: 1000 },
      },
    },
    {
      kind: 'tool-result',
      data: {
        ...common,
        status: 'error',
        content: '\u001b[31mred\u001b[0m\nold\rnew',
        facts: { exitCode: 2 },
        changes: [],
        durationMs: 7,
      },
    },
  );
  const line = chat.button(/^Ran ls · failed · exit 2/);
  await line.click();
  await expect(chat.page.getByRole('group', { name: 'Result' })).toHaveText('red\nnew', { useInnerText: true });
});

for (const theme of ['light', 'dark'] as const) {
  test(`the chat has no accessibility faults in ${theme}: card, opened call, answer, error, panel`, async ({
    chat,
  }) => {
    await chat.open({ theme });
    await chat.button(/^Edited/).click();
    await chat.append(
      answer('# Plan\n\n1. one\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done'),
      { kind: 'turn-end', data: { turnId: TURN, outcome: { type: 'interrupted' }, steps: 1, durationMs: 5 } },
    );
    await expect(chat.card).toBeVisible();
    const scan = async (): Promise<string[]> => {
      await stillPage(chat.page);
      const { violations } = await new AxeBuilder({ page: chat.page }).analyze();
      return violations.map(
        ({ id, nodes: found }) => `${id}: ${found.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      );
    };
    expect(await scan()).toEqual([]);
    await chat.button('Deny…').click();
    await chat.page.getByRole('tab', { name: /Changes/ }).click();
    expect(await scan()).toEqual([]);
  });
}
