// What goes wrong around the window: a model service that fails in each way, a diff of 5,000 lines, a folder that goes away,
// a chat put away by mistake. Each says what happened and what to do, and nothing is lost.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startRig, type Rig } from '../helpers/start-rig.ts';
import { ChatWindow, isThere, writeShop } from './built-app.ts';
import { expect, test, type Warrant } from './fixture.ts';

const always = (fault: object): object => ({ turns: [{ say: 'pears', fault, faultTimes: 99 }] });
const SCENARIOS = {
  w_key: always({ kind: 'status', code: 401, body: '{"error":{"message":"Incorrect API key"}}' }),
  w_limit: always({ kind: 'status', code: 429, retryAfter: 7200 }),
  w_soon: {
    turns: [{ say: 'After a short wait.', fault: { kind: 'status', code: 429, retryAfter: 1 }, faultTimes: 1 }],
  },
  w_html: always({ kind: 'html' }),
  w_cut: {
    turns: [{ say: 'An answer that is cut somewhere in its middle', fault: { kind: 'cut', after: 8 }, faultTimes: 99 }],
  },
  w_hang: { turns: [{ say: 'An answer that stops in the middle', fault: { kind: 'hang', after: 4 } }] },
  w_tools: always({ kind: 'status', code: 400, body: '{"error":{"message":"m does not support tools"}}' }),
  w_off: {
    turns: [
      { say: 'I fetch.', do: [{ tool: 'raw', name: 'web_fetch', args: { url: 'https://a.example/' } }] },
      { say: 'It is off.' },
    ],
  },
  w_write: {
    turns: [
      { do: [{ tool: 'write', path: 'big.txt', content: Array.from({ length: 5000 }, (_, i) => `${i}\n`).join('') }] },
      { say: 'Written.' },
    ],
  },
};

let rig: Rig;
test.beforeAll(async () => {
  rig = await startRig(SCENARIOS);
});
test.afterAll(() => rig.stop());

async function shop(warrant: Warrant): Promise<ChatWindow> {
  writeShop(warrant.project);
  const defaultModel = `openai-compatible:bench-model@http://127.0.0.1:${String(rig.port)}/v1`;
  const service = (id: string, baseUrl: string): object => ({
    ...{ id, wire: 'openai-compatible', label: id, baseUrl, models: [`${id}-model`], keyVariable: 'PEARS_KEY' },
  });
  const providers = [
    service('keyed', `http://127.0.0.1:${String(rig.port)}/keyed/v1`),
    service('down', `http://127.0.0.1:${String(await closedPort())}/v1`),
  ];
  const limits = { idleStreamMs: 1500, providerRetries: 1 };
  const settings = { version: 1, defaultModel, providers, findLocalModels: false, limits };
  writeFileSync(path.join(warrant.data, 'settings.json'), JSON.stringify(settings));
  return new ChatWindow(await warrant.start({ env: { PEARS_KEY: 'not-the-key' } }));
}

/** A port of this machine that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 1;
}

async function newChat(chat: ChatWindow): Promise<void> {
  await chat.page.keyboard.press('Control+N');
  await expect(chat.conversation.getByText(/A new chat in/)).toBeVisible();
}

test('whatever a model service does wrong ends the turn with what happened and what to do', async ({ warrant }) => {
  const chat = await shop(warrant);
  const cases: [string, RegExp, string | null][] = [
    ['w_key', /wants a key and none is set. Add one in the settings/, 'Open settings'],
    ['w_limit', /too many requests.*wait 2 hours/, 'Try again'],
    ['w_soon', /After a short wait/, null],
    ['w_html', /A web page came back instead of an answer/, 'Try again'],
    ['w_cut', /broke before the answer was complete/, 'Try again'],
    ['w_hang', /Cut here: the turn ended before the answer did/, 'Try again'],
    ['f_length', /cut by the model's token limit/, 'Continue'],
    ['w_tools', /cannot use tools/, 'Open settings'],
    ['w_off', /It is off\./, null],
    ['w_key keyed', /did not accept the key. Check the key of this service.*Incorrect API key/, 'Open settings'],
    ['text down', /Nothing answers at http:.*Start the model server, or check the address/, 'Try again'],
  ];
  for (const [scenario, words, button] of cases) {
    await newChat(chat);
    const [script = '', service] = scenario.split(' ');
    if (service !== undefined) {
      await chat.say(`/model ${service}-model`);
      await expect(chat.button(/^Model:/)).toHaveAccessibleName(new RegExp(service));
    }
    await chat.say(`[[bench ${script} id=${script}]] go`);
    await expect(chat.conversation.getByText(words).first()).toBeVisible();
    if (button !== null) await expect(chat.conversation.getByRole('button', { name: button }).first()).toBeVisible();
    await chat.settled();
    await expect(chat.field).toBeEnabled();
  }
});

test('a diff of 5,000 lines is asked about in pieces and can be allowed only after all of it was shown', async ({
  warrant,
}) => {
  const chat = await shop(warrant);
  await chat.say('[[bench w_write id=w]] go');
  await expect(chat.card).toBeVisible();
  const allow = chat.card.getByRole('button', { name: /^Allow once/ });
  await expect(allow).toBeDisabled();
  await chat.card.getByRole('button', { name: 'Show all 5,000 lines' }).click();
  await expect(allow).toBeDisabled();
  const bytes = chat.card.getByRole('region', { name: 'What would happen, in full' });
  await bytes.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(allow).toBeEnabled();
  await allow.click();
  await chat.settled();
  expect(isThere(warrant, 'big.txt')).toBe(true);
});

test('a folder that goes away keeps the message unsent and says so; after a restart the chat is readable and says why it waits', async ({
  warrant,
}) => {
  writeShop(warrant.project);
  let chat = new ChatWindow(await warrant.start());
  await chat.say('summarise this project');
  await expect(chat.conversation.getByText(/Sells pears/).first()).toBeVisible();
  await chat.settled();
  renameSync(warrant.project, `${warrant.project}-moved`);
  await chat.say('read src/price.ts');
  await expect(chat.page.getByText(/There is no folder .* Nothing was sent/).first()).toBeVisible();
  await expect(chat.field).toHaveValue('read src/price.ts');
  await warrant.close();
  chat = new ChatWindow(await warrant.start({ folder: null }));
  await expect(chat.conversation.getByText(/Sells pears/).first()).toBeVisible();
  await expect(chat.page.getByText(/The folder of this chat cannot be opened/).first()).toBeVisible();
  await expect(chat.page.getByText(/open elsewhere/)).toHaveCount(0);
});

test('a chat that was archived can be found, read and taken back', async ({ warrant }) => {
  writeShop(warrant.project);
  const chat = new ChatWindow(await warrant.start());
  await chat.say('summarise this project');
  await chat.settled();
  await newChat(chat);
  const list = chat.page.getByRole('navigation');
  const row = list.getByRole('button', { name: /^summarise this project/ });
  await row.focus();
  await chat.page.keyboard.press('Delete');
  await expect(row).toHaveCount(0);
  await list.getByRole('button', { name: 'Archived chats' }).click();
  await row.click();
  await expect(chat.conversation.getByText(/Sells pears/).first()).toBeVisible();
  await list.getByRole('button', { name: 'More for summarise this project' }).click();
  await chat.page.getByRole('menuitem', { name: /^Take back/ }).click();
  await expect(list.getByText('No chats are archived')).toBeVisible();
  await list.getByRole('button', { name: 'Archived chats' }).click();
  await expect(row).toBeVisible();
});
