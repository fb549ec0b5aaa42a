// What stands beside a chat: its name, its title, and the files that an export writes of it.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginningOf, cleanTitle, titlerOf } from '../../src-main/app/title-chat.ts';
import { usageSchema, entrySchema, type Entry } from '../../src-main/contract/entries.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { turnRecordSchema } from '../../src-main/contract/turn-records.ts';
import { says, startChatServer } from '../helpers/chat-server.ts';
import { finish, hangs, say as scripted, ScriptedModel, text as words } from '../helpers/engine-ports.ts';
import { eventsOf, runWarrant } from '../helpers/run-warrant.ts';
import { pieces, type Answer } from '../helpers/stream-server.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

async function projectFolder(name = 'Pear Shop'): Promise<string> {
  const folder = path.join(await tempFolder(), name);
  await mkdir(folder);
  await writeFile(path.join(folder, 'README.md'), '# Shop\n\nSells pears.\n');
  return folder;
}

async function newChat(test: TestApp, folder: string, model = 'guide'): Promise<SessionId> {
  valueOf(await test.window.app.getState({}));
  const project = valueOf(await test.window.projects.open({ path: folder }));
  const { id } = valueOf(await test.window.sessions.create({ projectId: project.id, model }));
  valueOf(await test.window.sessions.open({ sessionId: id }));
  return id;
}

async function ask(test: TestApp, sessionId: SessionId, text: string): Promise<void> {
  valueOf(await test.window.sessions.submit({ sessionId, text }));
  const live = test.app.sessions.get(sessionId);
  await live?.idle();
  await live?.titled();
}

/** An answer in words, with what it cost. */
const bills = (said: string, tokens: number): Answer =>
  pieces(
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: said } }] })}\n\n`,
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
    `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: tokens, completion_tokens: 1, total_tokens: tokens + 1 } })}\n\n`,
    'data: [DONE]\n\n',
  );

const linesOf = async (file: string): Promise<unknown[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line));

describe('the name of a chat', () => {
  it('STORE-15: is the one that was asked for, else of the form tag-adjective-noun with the folder as its tag', async () => {
    const data = await tempFolder();
    const folder = await projectFolder();
    const run = (...more: string[]) => runWarrant(data, ['run', '--project', folder, '--model', 'guide', ...more]);
    const named = eventsOf(await run('--name', 'orchard.2', '--json', 'help'));
    const { sessionId } = named[0] as { sessionId: string };
    // It is gone on in by its name, and the name is taken.
    expect(eventsOf(await run('--resume', 'orchard.2', '--json', 'help'))[0]).toMatchObject({ sessionId });
    const taken = await run('--name', 'orchard.2', 'help');
    expect([taken.code, taken.err]).toEqual([2, expect.stringContaining('--resume orchard.2')]);
    expect((await run('--name', '../up', 'help')).code).toBe(2);
    await run('help');
    const test = await startTestApp(data);
    const { sessions } = valueOf(await test.window.sessions.list({ projectId: null }));
    const names = sessions.map(({ name }) => name).sort();
    expect(names).toEqual(['orchard.2', expect.stringMatching(/^pearshop-[a-z]+-[a-z]+$/)]);
    await test.close();
  });
});

describe('the companions of a chat', () => {
  it('STORE-13, STORE-10: are written under its name: usage, one a turn, records of its rounds, models, tree', async () => {
    const data = await tempFolder();
    const folder = await projectFolder();
    const server = await startChatServer(bills('One.', 7), bills('Two.', 9));
    const { model } = server;
    const first = await startTestApp(data);
    const sessionId = await newChat(first, folder, model);
    await ask(first, sessionId, 'first');
    await ask(first, sessionId, 'second');
    valueOf(await first.window.sessions.setModel({ sessionId, model: 'guide' }));
    await ask(first, sessionId, 'help');
    const live = first.app.sessions.get(sessionId);
    const ends = (live?.path ?? []).filter((entry) => entry.kind === 'turn-end');
    expect(ends.map(({ data: { usage } }) => usageSchema.nullable().safeParse(usage).success)).toEqual([
      true,
      true,
      true,
    ]);
    const billed = ends.map(({ data: { usage } }) => usage?.input ?? 0);
    expect(billed).toEqual([7, 9, 0]);
    const { name } = valueOf(await first.window.sessions.open({ sessionId })).summary;
    await first.close();

    const out = path.join(await tempFolder(), 'out');
    const ran = await runWarrant(data, ['export', name, '--out', out, '--companions']);
    expect([ran.code, ran.err]).toEqual([0, '']);
    const endings = ['.events.jsonl', '.jsonl', '.models.jsonl', '.tree.json', '.usage.jsonl'];
    expect((await readdir(out)).sort()).toEqual(endings.map((ending) => name + ending));
    const at = (ending: string): string => path.join(out, name + ending);
    const usage = (await linesOf(at('.usage.jsonl'))) as { usage: { input: number } | null }[];
    expect(usage.map((turn) => turn.usage?.input ?? 0)).toEqual(billed);
    const records = (await linesOf(at('.events.jsonl'))).map((line) => turnRecordSchema.parse(line).type);
    expect(records.filter((type) => type === 'end')).toHaveLength(3);
    expect(await linesOf(at('.models.jsonl'))).toMatchObject([
      { model, previous: null },
      { model: 'guide', previous: model },
    ]);
    expect(JSON.parse(await readFile(at('.tree.json'), 'utf8'))).toMatchObject({
      turns: [{ text: 'first' }, { text: 'second' }, { text: 'help' }],
    });
    const [header, ...entries] = await linesOf(at('.jsonl'));
    expect(header).toMatchObject({ format: 'warrant-chat', version: 2, sessionId });
    for (const entry of entries) expect(entrySchema.safeParse(entry).success).toBe(true);
    // Where it is not to be found, or not to be written, it says so.
    expect((await runWarrant(data, ['export', 'no-such-chat'])).err).toContain('There is no chat no-such-chat');
    await writeFile(path.join(out, 'file'), '');
    expect((await runWarrant(data, ['export', name, '--out', path.join(out, 'file')])).code).toBe(2);
  });
});

describe('the title of a chat', () => {
  it('STORE-16: is asked of the model on the side only where that is switched on, once, and a person’s own stays', async () => {
    const data = await tempFolder();
    const server = await startChatServer(says('Pears cost 2.'), says('Hello.'), says('"Prices of pears."'));
    const { model } = server;
    const test = await startTestApp(data);
    const folder = await projectFolder();
    const plain = await newChat(test, folder, model);
    const title = async (sessionId: SessionId): Promise<string> =>
      valueOf(await test.window.sessions.open({ sessionId })).summary.title;
    await ask(test, plain, 'What do pears cost?');
    expect([await title(plain), server.seen.length]).toEqual(['What do pears cost?', 1]);

    valueOf(await test.window.settings.update({ patch: { automaticTitles: true } }));
    const titled = await newChat(test, folder, model);
    await ask(test, titled, 'And what do pears cost here?');
    expect([await title(titled), server.seen.length]).toEqual(['Prices of pears', 3]);
    // Nothing of it is part of the conversation.
    expect(test.app.sessions.get(titled)?.engine.history()).toHaveLength(2);
    const entries = test.app.sessions.get(titled)?.path.filter((entry) => entry.kind === 'title') ?? [];
    expect(entries.map((entry) => entry.data.by)).toEqual(['first-message', 'model']);
    // Of the guide, which is no language model, nothing is asked.
    const guided = await newChat(test, folder);
    await ask(test, guided, 'help');
    expect(await title(guided)).toBe('help');
    await test.close();
  });

  it('STORE-16: is none where there is no titler or it declines, and none of what goes wrong is thrown', async () => {
    const test = await startTestApp(await tempFolder());
    const sessionId = await newChat(test, await projectFolder());
    await ask(test, sessionId, 'help');
    const live = test.app.sessions.get(sessionId);
    expect(await live?.giveTitle(null)).toBeNull();
    expect(await live?.giveTitle(() => Promise.resolve(null))).toBeNull();
    expect(await live?.giveTitle(() => Promise.reject(new Error('gone')))).toBeNull();
    // One that never answers ends with the chat, which does not wait for it.
    const waits = live?.giveTitle(
      (_begun, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve('too late'));
        }),
    );
    await live?.close();
    expect(await waits).toBeNull();
    await test.close();
  });

  it('a titler gives one clean line, and nothing of a cut, failed or endless answer', async () => {
    const begun = { question: 'q', answer: 'a' };
    const { signal } = new AbortController();
    const titleOf = (...rounds: ConstructorParameters<typeof ScriptedModel>) =>
      titlerOf(new ScriptedModel(...rounds))?.(begun, signal);
    expect(await titleOf([scripted('# **Fix the door**\nbecause')])).toBe('Fix the door');
    expect(await titleOf([[words('Half a')]])).toBeNull();
    expect(await titleOf([scripted('x'.repeat(200))])).toBeNull();
    expect(await titleOf([[words(''), finish()]])).toBeNull();
    const stopped = new AbortController();
    const hanging = titlerOf(new ScriptedModel([hangs([words('Slow')])]))?.(begun, stopped.signal);
    stopped.abort();
    expect(await hanging).toBeNull();
    expect(cleanTitle('Title: Open a window\u202e')).toBe('Open a window');
    expect(beginningOf([] as Entry[])).toBeNull();
  });
});
