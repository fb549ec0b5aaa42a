// Who keeps what happens: a journal or none, a recorder that comes and goes, and a copy in place of a fork.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src-main/contract/entries.ts';
import { createSession } from '../../../src-main/engine/build-session.ts';
import { ephemeralJournal } from '../../../src-main/engine/ephemeral-journal.ts';
import { resumeSession } from '../../../src-main/engine/resume-session.ts';
import { Session } from '../../../src-main/engine/session.ts';
import {
  ask,
  call,
  calls,
  makeRig,
  MemoryJournal,
  ok,
  rigConfig,
  rigPorts,
  say,
  ScriptedApprover,
  ScriptedModel,
  SESSION,
  testTool,
  toRig,
  writer,
} from '../../helpers/engine-ports.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const rounds = [calls(call('read', { n: 1 })), say('one'), say('two')];

test('STORE-04: a journal changes nothing in the conversation, and whether there is one can be asked', async () => {
  const kept = await makeRig({ tools: [testTool('read')], rounds });
  const ports = { ...rigPorts({ tools: [testTool('read')], rounds }), journal: ephemeralJournal(SESSION) };
  const unkept = await createSession(rigConfig(), ports);
  expect([kept.session.isJournaled, unkept.isJournaled]).toEqual([true, false]);
  await ask(kept);
  await unkept.send('go');
  const shape = (session: Session): unknown =>
    session.history().map((message) => (message.role === 'tool' ? message.content : message.role));
  expect(shape(unkept)).toEqual(shape(kept.session));
  expect(unkept.history()).toHaveLength(4);
  const parts = (request: ReturnType<Session['request']>): unknown => [
    request.system,
    request.tools,
    request.messages.length,
  ];
  expect(parts(unkept.request())).toEqual(parts(kept.session.request()));
});

test('STORE-12: a recorder is installed and replaced on a live session, has all from then on, and changes nothing', async () => {
  const rig = await makeRig({ tools: [testTool('read')], rounds });
  await ask(rig, 'before');
  const start = rig.journal.entries.length;
  const [first, second]: Entry[][] = [[], []];
  rig.session.setRecorder((entries) => void first?.push(...entries));
  await ask(rig, 'recorded');
  const middle = rig.journal.entries.length;
  rig.session.setRecorder((entries) => void second?.push(...entries));
  await ask(rig, 'recorded by another');
  rig.session.setRecorder(null);
  const end = rig.journal.entries.length;
  await ask(rig, 'after');
  expect(first).toEqual(rig.journal.entries.slice(start, middle));
  expect(second).toEqual(rig.journal.entries.slice(middle, end));
  expect(first?.some((entry) => entry.kind === 'user-message' && entry.data.text === 'recorded')).toBe(true);
  // One that fails takes nothing from the chat.
  rig.session.setRecorder(() => {
    throw new TypeError('The recorder is broken.');
  });
  expect(await ask(rig, 'on')).toEqual({ type: 'completed' });
});

describe('a fork of the engine', () => {
  test('TREE-13: there is none; it is a deep copy of the snapshot and of the folder, and neither changes the other', async () => {
    const verbs = Object.getOwnPropertyNames(Session.prototype);
    expect(verbs.filter((verb) => /fork|branch/i.test(verb))).toEqual([]);

    const folder = path.join(await tempFolder(), 'sandbox');
    await mkdir(folder);
    const over = (at: string) => {
      const write = writer('write', {
        run: async () => {
          await writeFile(path.join(at, 'made'), `${at}\n`, { flag: 'a' });
          return ok();
        },
      });
      const more = { tools: [write], approver: new ScriptedApprover('allow') };
      return {
        ...more,
        model: new ScriptedModel([calls(call('write')), say('written')]),
        journal: new MemoryJournal(),
      };
    };
    const here = over(folder);
    const first = toRig(await createSession(rigConfig(), rigPorts(here)), rigPorts(here));
    await first.session.send('write');
    const snapshot = structuredClone(await first.session.snapshot());
    const copy = path.join(await tempFolder(), 'copy');
    await cp(folder, copy, { recursive: true });
    const there = over(copy);
    const { sessionId: _id, history: _history, ...config } = rigConfig();
    const second = await resumeSession(snapshot, config, rigPorts(there));
    expect(second.history()).toEqual(first.session.history());

    const before = structuredClone(first.session.history());
    await second.send('write once more');
    expect(first.session.history()).toEqual(before);
    expect(second.history().length).toBeGreaterThan(before.length);
    expect(await readFile(path.join(folder, 'made'), 'utf8')).toBe(`${folder}\n`);
    expect(await readFile(path.join(copy, 'made'), 'utf8')).toBe(`${folder}\n${copy}\n`);
    await first.session.send('write here');
    expect(second.history()).not.toEqual(first.session.history());
  });
});
