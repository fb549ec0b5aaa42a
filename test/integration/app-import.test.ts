// Chats in and out as files: recorded sessions of other agents, exports, and what stays of them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryDataSchemas } from '../../src-main/contract/entries.ts';
import type { ProjectId, SessionId } from '../../src-main/contract/ids.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import type { Store } from '../../src-main/store/store.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { codeOf, startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

const fixtures = path.resolve(import.meta.dirname, '../fixtures/import');
const files = ['claude-code-2.1.332.jsonl', 'codex-0.171.jsonl'];
/** A fixture by its name; another file by its path. */
const at = (name: string): string => path.resolve(fixtures, name);
const linesOf = async (file: string): Promise<string[]> =>
  (await readFile(at(file), 'utf8')).split('\n').filter(Boolean);
const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((a, b) => a + b, 0);

interface Started {
  readonly test: TestApp;
  readonly store: Store;
  readonly projectId: ProjectId;
}

async function started(): Promise<Started> {
  const data = await tempFolder();
  const folder = path.join(await tempFolder(), 'shop');
  await mkdir(folder);
  await writeFile(path.join(folder, 'README.md'), '# Shop\n\nSells pears.\n');
  const store = await openStore({ folder: data });
  const test = await startTestApp(data, { store });
  valueOf(await test.window.app.getState({}));
  const project = valueOf(await test.window.projects.open({ path: folder }));
  return { test, store, projectId: project.id };
}

async function imported({ test, projectId }: Started, file: string) {
  const { session, report } = valueOf(await test.window.sessions.importChat({ projectId, path: at(file) }));
  valueOf(await test.window.sessions.open({ sessionId: session.id }));
  return { sessionId: session.id, session, report };
}

const engineOf = ({ test }: Started, id: SessionId) => test.app.sessions.get(id)?.engine;

describe('a recorded session of another agent', () => {
  it.each(files)('HIST-13: %s is gone on with from where it was left, whatever was cut at its end', async (file) => {
    const app = await started();
    const { sessionId, session, report } = await imported(app, file);
    expect(session).toMatchObject({ turns: 3, status: 'interrupted' });
    const before = engineOf(app, sessionId)?.history() ?? [];
    const said = before.flatMap((message) => (message.role === 'user' ? [message.text.split('\n')[0]] : []));
    expect(said.map((text) => text?.slice(0, 14))).toEqual(['[[bench sample', '[[bench second', '[[bench hang p']);
    const calls = before.flatMap((message) =>
      message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [],
    );
    expect([calls.length, before.filter((message) => message.role === 'tool').length]).toEqual([8, 8]);
    expect(JSON.stringify(before)).toContain('übung ✓');
    expect(JSON.stringify(before)).toContain('Second answer, in one go. DONE');
    expect(report.messages).toBe(before.length);
    const { entries } = await app.store.readPath(sessionId);
    for (const entry of entries) expect(entryDataSchemas[entry.kind].safeParse(entry.data).error).toBeUndefined();

    valueOf(await app.test.window.sessions.submit({ sessionId, text: 'help' }));
    await app.test.app.sessions.get(sessionId)?.idle();
    const after = engineOf(app, sessionId)?.history() ?? [];
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1)?.role).toBe('assistant');
    await app.test.close();
  });

  it.each(files)(
    'HIST-14: %s keeps its own system messages as context, behind this agent’s own prompt',
    async (file) => {
      const app = await started();
      const { sessionId } = await imported(app, file);
      const engine = engineOf(app, sessionId);
      const [first] = engine?.history() ?? [];
      expect(engine?.request().system).not.toContain('characters left out');
      expect(engine?.request().system.length).toBeGreaterThan(100);
      expect(first?.role === 'user' && first.text).toMatch(/^\[\[bench sample[\s\S]*<attachment name=/);
      expect(first?.role === 'user' && first.text).toContain('characters left out]');
      await app.test.close();
    },
  );

  it.each(files)(
    'HIST-15: %s is exported as a header, its records verbatim, and all that came later in full',
    async (file) => {
      const app = await started();
      const { sessionId, report } = await imported(app, file);
      const lines = await linesOf(file);
      expect(await app.store.readRecords(sessionId)).toEqual(lines);
      expect([report.records, sum(report.understood) + sum(report.kept), report.broken]).toEqual([
        lines.length,
        lines.length,
        0,
      ]);
      valueOf(await app.test.window.sessions.submit({ sessionId, text: 'read README.md' }));
      await app.test.app.sessions.get(sessionId)?.idle();
      const { path: out } = valueOf(await app.test.window.sessions.exportChat({ sessionId, format: 'jsonl' }));
      const exported = await linesOf(out);
      expect(JSON.parse(exported[0] ?? '')).toMatchObject({ format: 'warrant-chat', version: 2, sessionId });
      expect(exported.slice(1, 1 + lines.length)).toEqual(lines);
      const later = exported.slice(1 + lines.length).map((line) => JSON.parse(line) as { kind: string });
      const { entries } = await app.store.readPath(sessionId);
      expect(later).toEqual(entries.slice(entries.length - later.length));
      expect(later.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['user-message', 'tool-result', 'turn-end']),
      );

      const back = await imported(app, out);
      expect(back.report.format).toBe(report.format);
      const words = (id: SessionId): unknown =>
        engineOf(app, id)
          ?.history()
          .map((message) => ('text' in message ? message.text.split('\n')[0] : message.role));
      expect(words(back.sessionId)).toEqual(words(sessionId));
      await app.test.close();
    },
  );

  it('HIST-19: tells how long its imported beginning is, the own system message counted, and nothing before', async () => {
    const app = await started();
    const made = valueOf(await app.test.window.sessions.create({ projectId: app.projectId, model: 'guide' }));
    valueOf(await app.test.window.sessions.open({ sessionId: made.id }));
    expect(app.test.app.sessions.get(made.id)?.importedPrefix).toBe(0);
    const { sessionId, report } = await imported(app, files[1] ?? '');
    valueOf(await app.test.window.sessions.submit({ sessionId, text: 'help' }));
    await app.test.app.sessions.get(sessionId)?.idle();
    expect(app.test.app.sessions.get(sessionId)?.importedPrefix).toBe(1 + report.messages);
    await app.test.close();
  });

  it('keeps and counts what it does not know: broken lines, unknown kinds, results of no call', async () => {
    const app = await started();
    const lines = await linesOf(files[1] ?? '');
    const odd = ['{"broken', '{"type":"response_item","payload":{"type":"hologram"}}', '[1]', '"text"'];
    const orphan = '{"type":"response_item","payload":{"type":"function_call_output","call_id":"none","output":"x"}}';
    const file = path.join(await tempFolder(), 'odd.jsonl');
    await writeFile(file, [...lines, ...odd, orphan].join('\n'));
    const { sessionId, report } = await imported(app, file);
    expect(report.broken).toBe(1);
    expect(report.kept).toMatchObject({
      'response_item hologram': 1,
      unknown: 2,
      'response_item function_call_output': 1,
    });
    expect(await app.store.readRecords(sessionId)).toEqual([...lines, ...odd, orphan]);
    await app.test.close();
  });

  it('is refused with the reason when it is none, and nothing is changed', async () => {
    const app = await started();
    const folder = await tempFolder();
    await writeFile(path.join(folder, 'x.jsonl'), '{"a":1}\nnot json\n');
    for (const name of ['x.jsonl', 'absent.jsonl', '.']) {
      const answer = await app.test.window.sessions.importChat({
        projectId: app.projectId,
        path: path.join(folder, name),
      });
      expect(codeOf(answer)).toBe('config.invalid');
    }
    expect(await app.store.stats()).toMatchObject({ sessions: 0 });
    await app.test.close();
  });
});

describe('an export', () => {
  it('HIST-18: is the conversation as one message a line, and loading it takes the place of the present one', async () => {
    const app = await started();
    const { window } = app.test;
    const ids: SessionId[] = [];
    for (const text of ['read README.md', 'help']) {
      const { id: sessionId } = valueOf(await window.sessions.create({ projectId: app.projectId, model: 'guide' }));
      valueOf(await window.sessions.open({ sessionId }));
      valueOf(await window.sessions.submit({ sessionId, text }));
      await app.test.app.sessions.get(sessionId)?.idle();
      ids.push(sessionId);
    }
    const [from, to] = ids;
    if (!from || !to) throw new TypeError('no chats');
    const { path: file } = valueOf(await window.sessions.exportChat({ sessionId: from, format: 'messages' }));
    const messages = engineOf(app, from)?.history() ?? [];
    expect((await linesOf(file)).map((line) => JSON.parse(line) as unknown)).toEqual(messages);
    valueOf(await window.sessions.loadMessages({ sessionId: to, path: file }));
    const shape = (id: SessionId): unknown =>
      engineOf(app, id)
        ?.history()
        .map((message) => [message.role, 'content' in message ? message.content : null]);
    expect(shape(to)).toEqual(shape(from));
    const { entries } = await app.store.readPath(to);
    expect(entries.some((entry) => entry.kind === 'user-message' && entry.data.text === 'help')).toBe(true);
    await app.test.close();
  });

  it('that was edited into a history which cannot be gone on with is refused, and no chat is made of it', async () => {
    const app = await started();
    const { sessionId } = await imported(app, files[0] ?? '');
    valueOf(await app.test.window.sessions.submit({ sessionId, text: 'read README.md' }));
    await app.test.app.sessions.get(sessionId)?.idle();
    const { path: file } = valueOf(await app.test.window.sessions.exportChat({ sessionId, format: 'jsonl' }));
    const lines = await linesOf(file);
    const call = lines.findLast((line) => line.includes('"kind":"assistant-message"') && line.includes('tool-call'));
    await writeFile(file, [...lines, (call ?? '').replace(/"id":"[^"]+"/, '"id":"another"')].join('\n'));
    const query = { projectId: app.projectId, filter: '', archived: false, cursor: null, limit: 50 };
    const before = (await app.store.listSessions(query)).sessions.length;
    const answer = await app.test.window.sessions.importChat({ projectId: app.projectId, path: file });
    expect(codeOf(answer)).toBe('session.history-invalid');
    expect((await app.store.listSessions(query)).sessions).toHaveLength(before);
    await app.test.close();
  });

  it('that holds another export is refused', async () => {
    const app = await started();
    const { sessionId } = await imported(app, files[0] ?? '');
    const { path: file } = valueOf(await app.test.window.sessions.exportChat({ sessionId, format: 'jsonl' }));
    const [header = '', ...rest] = await linesOf(file);
    await writeFile(file, [header, header, ...rest].join('\n'));
    const answer = await app.test.window.sessions.importChat({ projectId: app.projectId, path: file });
    expect(codeOf(answer)).toBe('config.invalid');
    await app.test.close();
  });

  it('reads as Markdown: who said what, what was run, and what came of it', async () => {
    const app = await started();
    const { sessionId } = await imported(app, files[0] ?? '');
    const { path: file } = valueOf(await app.test.window.sessions.exportChat({ sessionId, format: 'markdown' }));
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(/^# \[\[bench sample/);
    expect(text.match(/^## You$/gm)).toHaveLength(3);
    expect(text).toContain('**Bash** (error)\n\n```\nExit code 2');
    expect(text).toContain('*This turn ended as interrupted.*');
    await app.test.close();
  });
});

describe('an import of a large file', () => {
  const lines = 6_000;
  /** A conversation of so many messages, as one a line. */
  async function largeFile(): Promise<string> {
    const file = path.join(await tempFolder(), 'large.jsonl');
    const text = Array.from({ length: lines }, (_, n) =>
      JSON.stringify(
        n % 2 === 0
          ? { role: 'user', text: `question ${n}` }
          : { role: 'assistant', model: 'm', parts: [{ type: 'text', text: `answer ${n} `.repeat(20) }] },
      ),
    ).join('\n');
    await writeFile(file, text);
    return file;
  }
  const chatsOf = async ({ test, projectId }: Started) =>
    valueOf(await test.window.sessions.list({ projectId })).sessions;
  const partsOf = ({ test }: Started, importId: string): number[] =>
    test.events.flatMap(({ event }) =>
      event.type === 'import-progress' && event.importId === importId ? [event.part] : [],
    );

  it('HIST-13: tells how far it is, is in no list before it is whole, and is whole then', async () => {
    const app = await started();
    const file = await largeFile();
    const importing = app.test.window.sessions.importChat({ projectId: app.projectId, path: file, importId: 'large' });
    await expect.poll(() => partsOf(app, 'large').length).toBeGreaterThan(0);
    expect(await chatsOf(app)).toEqual([]);
    const { session, report } = valueOf(await importing);
    expect([report.messages, session.turns]).toEqual([lines, lines / 2]);
    await expect.poll(() => partsOf(app, 'large').at(-1)).toBe(1);
    const parts = partsOf(app, 'large');
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    expect((await chatsOf(app)).map(({ id }) => id)).toEqual([session.id]);
    const { entries } = valueOf(await app.test.window.sessions.open({ sessionId: session.id }));
    expect(entries.some((entry) => entry.kind === 'user-message' && entry.data.text === `question ${lines - 2}`)).toBe(
      true,
    );
    expect(await app.store.readRecords(session.id)).toHaveLength(lines);
    await app.test.close();
  });

  it('HIST-13: is stopped when the person wishes it, and leaves nothing', async () => {
    const app = await started();
    const before = (await app.store.stats()).sessions;
    const file = await largeFile();
    const importing = app.test.window.sessions.importChat({
      projectId: app.projectId,
      path: file,
      importId: 'stopped',
    });
    // Well in the middle of storing it.
    await expect.poll(() => Math.max(0, ...partsOf(app, 'stopped'))).toBeGreaterThan(0.4);
    valueOf(await app.test.window.sessions.stopImport({ importId: 'stopped' }));
    expect(codeOf(await importing)).toBe('cancelled');
    expect(await chatsOf(app)).toEqual([]);
    expect((await app.store.stats()).sessions).toBe(before);
    // One that ended, or never was, is stopped without a word.
    valueOf(await app.test.window.sessions.stopImport({ importId: 'stopped' }));
    valueOf(await app.test.window.sessions.stopImport({ importId: 'none' }));
    await app.test.close();
  });

  it('HIST-15: a fork of an imported chat is exported with its records verbatim too', async () => {
    const app = await started();
    const [file = ''] = files;
    const { sessionId } = await imported(app, file);
    const fork = valueOf(await app.test.window.sessions.fork({ sessionId, turnSeq: null }));
    const out = valueOf(await app.test.window.sessions.exportChat({ sessionId: fork.id, format: 'jsonl' })).path;
    const exported = await linesOf(out);
    expect(exported.slice(1, 1 + (await linesOf(file)).length)).toEqual(await linesOf(file));
    // A path that leaves some of the file out is exported by its own entries: the records would say more.
    const [first] = valueOf(await app.test.window.sessions.readTree({ sessionId })).turns;
    valueOf(await app.test.window.sessions.jump({ sessionId, turnSeq: first?.seq ?? 0 }));
    const early = valueOf(await app.test.window.sessions.exportChat({ sessionId, format: 'jsonl' })).path;
    const again = valueOf(await app.test.window.sessions.importChat({ projectId: app.projectId, path: early }));
    expect(again.session.turns).toBe(1);
    await app.test.close();
  });
});
