// Random ways through chats and their trees over the whole app, against a plain model in memory: messages, going back,
// taking that back, going elsewhere, forks, the archive, imports, restarts. WARRANT_LONG=1 tries many more.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ProjectId, SessionId } from '../../src-main/contract/ids.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

const LONG = process.env['WARRANT_LONG'] === '1';
const RUNS = LONG ? 300 : 12;

/** A turn of the model: its words and the turn before it. */
interface Turn {
  readonly text: string;
  readonly parent: Turn | null;
}

/** A chat of the model: all its turns, where it is, and where it was before each move that can be taken back. */
interface Model {
  readonly id: SessionId;
  readonly turns: Turn[];
  leaf: Turn | null;
  readonly moves: (Turn | null)[];
  archived: boolean;
}

function pathOf(leaf: Turn | null): Turn[] {
  const turns: Turn[] = [];
  for (let at = leaf; at !== null; at = at.parent) turns.unshift(at);
  return turns;
}

type Act = {
  readonly do: 'say' | 'back' | 'undo' | 'jump' | 'fork' | 'archive' | 'import' | 'reopen';
  readonly n: number;
};

const act: fc.Arbitrary<Act> = fc.record({
  do: fc.oneof(
    { weight: 5, arbitrary: fc.constant('say' as const) },
    { weight: 3, arbitrary: fc.constantFrom('back' as const, 'undo' as const, 'jump' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('fork' as const, 'archive' as const, 'import' as const, 'reopen' as const),
    },
  ),
  n: fc.nat(1_000),
});

class World {
  readonly chats: Model[] = [];
  #said = 0;
  #current = 0;

  readonly parts: { test: TestApp; readonly data: string; readonly folder: string; readonly projectId: ProjectId };

  constructor(parts: World['parts']) {
    this.parts = parts;
  }

  get window() {
    return this.parts.test.window;
  }

  get chat(): Model {
    const chat = this.chats[this.#current % this.chats.length];
    if (!chat) throw new TypeError('There is no chat yet.');
    return chat;
  }

  async begin(): Promise<void> {
    const { id } = valueOf(await this.window.sessions.create({ projectId: this.parts.projectId, model: 'guide' }));
    this.chats.push({ id, turns: [], leaf: null, moves: [], archived: false });
    this.#current = this.chats.length - 1;
  }

  async run({ do: what, n }: Act): Promise<void> {
    this.#current = n;
    await this[what](n);
  }

  async say(): Promise<void> {
    const { chat } = this;
    const text = `help ${++this.#said}`;
    valueOf(await this.window.sessions.submit({ sessionId: chat.id, text }));
    await this.parts.test.app.sessions.get(chat.id)?.idle();
    chat.leaf = { text, parent: chat.leaf };
    chat.turns.push(chat.leaf);
  }

  async back(n: number): Promise<void> {
    const { chat } = this;
    const turns = pathOf(chat.leaf);
    const turn = turns[n % Math.max(1, turns.length)];
    if (!turn) return;
    const { entries } = valueOf(await this.window.sessions.open({ sessionId: chat.id }));
    const entry = entries.find((one) => one.kind === 'user-message' && one.data.text === turn.text);
    if (!entry) throw new TypeError(`${turn.text} is not on the path`);
    valueOf(await this.window.sessions.rewind({ sessionId: chat.id, to: { type: 'before', entryId: entry.id } }));
    chat.moves.push(chat.leaf);
    chat.leaf = turn.parent;
  }

  async undo(): Promise<void> {
    const { chat } = this;
    const { undone } = valueOf(await this.window.sessions.undoRewind({ sessionId: chat.id }));
    expect(undone).toBe(chat.moves.length > 0);
    const leaf = chat.moves.pop();
    if (leaf !== undefined) chat.leaf = leaf;
  }

  async jump(n: number): Promise<void> {
    const { chat } = this;
    const others = chat.turns.filter((turn) => turn !== chat.leaf);
    const turn = others[n % Math.max(1, others.length)];
    if (!turn) return;
    const tree = valueOf(await this.window.sessions.readTree({ sessionId: chat.id }));
    const turnSeq = tree.turns.find(({ text }) => text === turn.text)?.seq ?? -1;
    valueOf(await this.window.sessions.jump({ sessionId: chat.id, turnSeq }));
    chat.moves.push(chat.leaf);
    chat.leaf = turn;
  }

  async fork(n: number): Promise<void> {
    const { chat } = this;
    const turn = n % 3 === 0 ? null : (chat.turns[n % Math.max(1, chat.turns.length)] ?? null);
    const tree = valueOf(await this.window.sessions.readTree({ sessionId: chat.id }));
    const turnSeq = tree.turns.find(({ text }) => text === turn?.text)?.seq ?? null;
    const { id } = valueOf(await this.window.sessions.fork({ sessionId: chat.id, turnSeq }));
    const turns: Turn[] = [];
    for (const { text } of pathOf(turn ?? chat.leaf)) turns.push({ text, parent: turns.at(-1) ?? null });
    this.chats.push({ id, turns, leaf: turns.at(-1) ?? null, moves: [], archived: false });
  }

  async archive(): Promise<void> {
    const { chat } = this;
    chat.archived = !chat.archived;
    valueOf(await this.window.sessions.setArchived({ sessionId: chat.id, archived: chat.archived }));
  }

  async import(n: number): Promise<void> {
    const file = path.join(this.parts.folder, 'talk.jsonl');
    const turns: Turn[] = [];
    for (let at = 0; at <= n % 3; at++) turns.push({ text: `told ${++this.#said}`, parent: turns.at(-1) ?? null });
    const lines = turns.flatMap(({ text }) => [
      { role: 'user', text },
      { role: 'assistant', model: 'm', parts: [{ type: 'text', text: 'yes' }] },
    ]);
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const { projectId } = this.parts;
    const { session } = valueOf(await this.window.sessions.importChat({ projectId, path: file }));
    this.chats.push({ id: session.id, turns, leaf: turns.at(-1) ?? null, moves: [], archived: false });
  }

  async reopen(): Promise<void> {
    await this.parts.test.close();
    this.parts.test = await startTestApp(this.parts.data);
    valueOf(await this.window.app.getState({}));
  }

  /** All that a person can see of all chats is what the model says. */
  async compare(): Promise<void> {
    const { projectId } = this.parts;
    for (const archived of [false, true]) {
      const { sessions } = valueOf(await this.window.sessions.list({ projectId, archived, limit: 200 }));
      const expected = this.chats.filter((chat) => chat.archived === archived).map(({ id }) => id);
      expect(sessions.map(({ id }) => id).sort()).toEqual(expected.sort());
    }
    for (const chat of this.chats) await this.#compareChat(chat);
  }

  async #compareChat(chat: Model): Promise<void> {
    const live = await this.parts.test.app.sessions.load(chat.id);
    const said = live.engine.history().flatMap((message) => (message.role === 'user' ? [message.text] : []));
    const texts = pathOf(chat.leaf).map(({ text }) => text);
    expect(said).toEqual(texts);
    const tree = valueOf(await this.window.sessions.readTree({ sessionId: chat.id }));
    expect(tree.undoable).toBe(chat.moves.length);
    expect(tree.turns.map(({ text }) => text).sort()).toEqual(chat.turns.map(({ text }) => text).sort());
    expect(tree.turns.filter(({ onPath }) => onPath).map(({ text }) => text)).toEqual(texts);
    expect(tree.turns.find(({ current }) => current)?.text).toBe(chat.leaf?.text);
    const { summary } = valueOf(await this.window.sessions.open({ sessionId: chat.id }));
    expect(summary.turns).toBe(texts.length);
  }
}

it(
  'TREE-07, TREE-12: whatever is done to chats, they are what a plain tree of the same acts is, also after restarts',
  { timeout: LONG ? 3_600_000 : 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 16 }), async (acts) => {
        const [data, folder] = [await tempFolder(), path.join(await tempFolder(), 'shop')];
        await mkdir(folder);
        const test = await startTestApp(data);
        valueOf(await test.window.app.getState({}));
        const project = valueOf(await test.window.projects.open({ path: folder }));
        const world = new World({ test, data, folder, projectId: project.id });
        await world.begin();
        await world.say();
        for (const one of acts) await world.run(one);
        await world.compare();
        await world.reopen();
        await world.compare();
        await world.parts.test.close();
      }),
      { numRuns: RUNS },
    );
  },
);
