// What the model asks, as a card in the window: answered by mouse or keyboard, shown verbatim, found whole by axe.
import { AxeBuilder } from '@axe-core/playwright';
import type { PersonQuestion } from '../../src-main/contract/session.ts';
import { expect, test, type ChatPage } from './chat-page.ts';
import { stillPage } from './still-page.ts';

/** Asks as main would: in the view, and told. */
async function ask(chat: ChatPage, ...questions: Pick<PersonQuestion, 'question' | 'options'>[]): Promise<void> {
  await chat.page.evaluate((asked) => {
    const view = window.fake.content.views['s-checkout'];
    if (view === undefined) return;
    for (const [at, given] of asked.entries()) {
      const callId = `question-${at}` as PersonQuestion['callId'];
      const question = { ...given, sessionId: view.summary.id, callId, askedAtMs: 0 };
      view.questions = [...view.questions, question];
      window.fake.emit(view.summary.id, { type: 'question-ask', question });
    }
  }, questions);
}

const card = (chat: ChatPage) => chat.page.getByRole('dialog', { name: /^The model asks/ });

test('APPR-23: a question is a card with its choices and room for own words; one follows the other', async ({
  chat,
}) => {
  await chat.open();
  await chat.settle();
  await ask(
    chat,
    { question: 'Which <b>colour</b>?', options: ['red', 'blue'] },
    { question: 'And why?', options: [] },
  );
  await expect(card(chat)).toContainText('Which <b>colour</b>?');
  await expect(card(chat)).toContainText('1 of 2');
  await card(chat).getByRole('button', { name: 'blue' }).click();
  await expect(card(chat)).toContainText('And why?');
  await card(chat).getByRole('textbox', { name: 'Your answer' }).fill('It is calm.');
  await card(chat)
    .getByRole('button', { name: /^Answer/ })
    .click();
  await expect(card(chat)).toHaveCount(0);
  expect(await chat.inputs('approvals.answerQuestion')).toMatchObject([
    { callId: 'question-0', answer: 'blue' },
    { callId: 'question-1', answer: 'It is calm.' },
  ]);
});

test('a question is answered from the keyboard alone, and Esc goes back to the message with nothing answered', async ({
  chat,
}) => {
  await chat.open();
  await chat.settle();
  await ask(chat, { question: 'Which?', options: ['red'] }, { question: 'Again?', options: [] });
  await chat.field.focus();
  await chat.page.keyboard.press('F6');
  await expect(card(chat)).toBeFocused();
  await chat.page.keyboard.press('Escape');
  await expect(chat.field).toBeFocused();
  await chat.page.keyboard.press('F6');
  await chat.page.keyboard.press('Tab');
  await chat.page.keyboard.press('Enter');
  await expect(card(chat)).toContainText('Again?');
  await expect(card(chat)).toBeFocused();
  await chat.page.keyboard.press('Tab');
  await chat.page.keyboard.type('words');
  await chat.page.keyboard.press('Enter');
  await expect(card(chat)).toHaveCount(0);
  await expect(chat.field).toBeFocused();
  expect(await chat.inputs('approvals.answerQuestion')).toMatchObject([{ answer: 'red' }, { answer: 'words' }]);
});

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing on a question (${theme})`, async ({ chat }) => {
    await chat.open({ theme });
    await chat.settle();
    await ask(chat, { question: 'Which of these two places should it be?', options: ['The first one', 'The second'] });
    await expect(card(chat)).toBeVisible();
    await stillPage(chat.page);
    const { violations } = await new AxeBuilder({ page: chat.page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
  });
}
