// The tree of a chat in the window: its turns and branches, going to one, taking a move back, names, copies.
import type { TreeView } from '../../src-main/contract/session-tree.ts';
import { turnId } from '../helpers/fake-entries.ts';
import { expect, test } from './chat-page.ts';

const turn = (seq: number, text: string, facts: Partial<TreeView['turns'][number]>): TreeView['turns'][number] => ({
  turnId: turnId(`t${seq}`),
  ...{ seq, endSeq: seq + 1, entryId: `e${seq}` as never, branch: 0, atMs: seq, text, outcome: 'completed' },
  ...{ onPath: true, current: false },
  ...facts,
});

const tree: TreeView = {
  on: true,
  branches: [
    { number: 0, parentBranch: null, parentSeq: 0, firstSeq: 1, name: '', current: false },
    { number: 1, parentBranch: 0, parentSeq: 3, firstSeq: 6, name: 'second try', current: true },
  ],
  turns: [
    turn(2, 'Begin', {}),
    turn(4, 'Go left', { onPath: false }),
    turn(7, 'Go right', { branch: 1, current: true }),
  ],
  undoable: 1,
  hidden: 0,
};

test('every turn of every branch is listed; one is gone to, a move taken back, a branch named, a path copied', async ({
  chat,
}) => {
  await chat.open();
  await chat.settle();
  await chat.page.evaluate((content) => {
    window.fake.content.tree = content;
  }, tree);
  await chat.page.getByRole('tab', { name: 'Tree' }).click();
  const turns = chat.page.getByRole('list', { name: 'Turns of this chat' });
  await expect(turns.getByRole('listitem')).toHaveText([
    /Beginning/,
    /Begin/,
    /second try/,
    /Go right.*here/,
    /Go left/,
  ]);
  await expect(turns.getByRole('button', { name: /^Go right/ })).toBeDisabled();
  await turns.getByRole('button', { name: /^Go left/ }).click();
  await expect.poll(() => chat.inputs('sessions.jump')).toMatchObject([{ turnSeq: 4 }]);
  await chat.button('Take the last move back').click();
  await expect.poll(() => chat.inputs('sessions.undoRewind')).toHaveLength(1);
  await turns.getByRole('button', { name: 'Rename second try' }).click();
  await chat.page.getByRole('textbox', { name: 'Name of the branch' }).fill('third try');
  await chat.page.keyboard.press('Enter');
  await expect.poll(() => chat.inputs('sessions.nameBranch')).toMatchObject([{ branch: 1, name: 'third try' }]);
  await turns.getByRole('button', { name: 'Copy the chat up to “Begin” into a new one' }).click();
  await expect.poll(() => chat.inputs('sessions.fork')).toMatchObject([{ turnSeq: 2 }]);
});

test('a message of the person can be gone back to before; why it is refused is told', async ({ chat }) => {
  await chat.open();
  const back = chat.button('Go back to before this message').first();
  await back.focus();
  await chat.page.keyboard.press('Enter');
  await expect.poll(() => chat.inputs('sessions.rewind')).toMatchObject([{ to: { type: 'before' } }]);
  await chat.fail('sessions.rewind', {
    code: 'session.not-at-boundary',
    message: 'Wait for the answer, or stop it, and then go back.',
    retryable: true,
  });
  await chat.page.keyboard.press('Enter');
  await expect(chat.page.getByText('Wait for the answer, or stop it, and then go back.')).toBeVisible();
});
