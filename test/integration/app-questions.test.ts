// What a model asks the person, over the whole app: it waits in the window and is counted, its answer goes back to the
// model, and it ends with its turn.
import { describe, expect, it } from 'vitest';
import type { SessionId } from '../../src-main/contract/ids.ts';
import type { PersonQuestion } from '../../src-main/contract/session.ts';
import { checkLeaks } from '../helpers/leak-check.ts';
import { proposes, says, startChatServer, type ChatServer } from '../helpers/chat-server.ts';
import { runWarrant } from '../helpers/run-warrant.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

checkLeaks();

const asks = (question: string, options: string[] = []): ReturnType<typeof proposes> =>
  proposes(['ask_user', { question, options }]);
const ended = (one: { type: string }): boolean => one.type === 'turn-end';

async function asking(
  server: ChatServer,
  how: { data?: string; permission?: 'off' | 'ask' } = {},
): Promise<{ test: TestApp; sessionId: SessionId; data: string }> {
  const data = how.data ?? (await tempFolder());
  const test = await startTestApp(data);
  valueOf(await test.window.app.getState({}));
  valueOf(await test.window.settings.update({ patch: { tools: { ask_user: how.permission ?? 'ask' } } }));
  const project = valueOf(await test.window.projects.open({ path: await tempFolder() }));
  const { id } = valueOf(await test.window.sessions.create({ projectId: project.id, model: server.model }));
  valueOf(await test.window.sessions.open({ sessionId: id }));
  test.host.focused = false;
  valueOf(await test.window.sessions.submit({ sessionId: id, text: 'do it' }));
  return { test, sessionId: id, data };
}

async function asked(test: TestApp): Promise<PersonQuestion> {
  const event = await test.until((one) => one.type === 'question-ask');
  if (event.type !== 'question-ask') throw new TypeError('no question');
  return event.question;
}

/** What the model was told last. */
const lastTold = (server: ChatServer): string => JSON.stringify(server.seen.at(-1)?.body);

describe('a question of the model', () => {
  it('APPR-23: is a real request that the turn waits on, counted in the list, and its answer goes to the model', async () => {
    const server = await startChatServer(asks('Which colour?', ['red', 'blue']), says('Done.'));
    const { test, sessionId } = await asking(server);
    const question = await asked(test);
    expect(question).toMatchObject({ sessionId, question: 'Which colour?', options: ['red', 'blue'] });
    const view = valueOf(await test.window.sessions.open({ sessionId }));
    expect(view.questions).toEqual([question]);
    expect(view.summary).toMatchObject({ status: 'waiting', waitingApprovals: 1 });
    expect(test.host.notified).toEqual(['Warrant waits for you']);
    valueOf(
      await test.window.approvals.answerQuestion({ sessionId, callId: question.callId, answer: 'green, rather' }),
    );
    expect(await test.until(ended)).toMatchObject({ outcome: { type: 'completed' } });
    expect(lastTold(server)).toContain('green, rather');
    const again = await test.window.approvals.answerQuestion({ sessionId, callId: question.callId, answer: 'x' });
    expect(again).toMatchObject({ ok: false, error: { code: 'approval.not-waiting' } });
    await test.close();
    await server.stop();
  });

  it('two questions of one step wait one after the other; no answer is told to the model as such', async () => {
    const both = proposes(['ask_user', { question: 'One?' }], ['ask_user', { question: 'Two?' }]);
    const server = await startChatServer(both, says('Done.'));
    const { test, sessionId } = await asking(server);
    const one = await asked(test);
    valueOf(await test.window.approvals.answerQuestion({ sessionId, callId: one.callId, answer: null }));
    await test.until((event) => event.type === 'question-ask' && event.question.callId !== one.callId);
    const [two] = valueOf(await test.window.sessions.open({ sessionId })).questions;
    if (!two) throw new TypeError('the second question is not there');
    valueOf(await test.window.approvals.answerQuestion({ sessionId, callId: two.callId, answer: 'second' }));
    expect(await test.until(ended)).toMatchObject({ outcome: { type: 'completed' } });
    expect(lastTold(server)).toContain('The person gave no answer');
    expect(lastTold(server)).toContain('second');
    await test.close();
    await server.stop();
  });

  it('ends with its turn: stopped, or closed and shown as interrupted', async () => {
    const server = await startChatServer(asks('Which?'));
    const { test, sessionId, data } = await asking(server);
    await asked(test);
    valueOf(await test.window.sessions.stop({ sessionId }));
    expect(await test.until(ended)).toMatchObject({ outcome: { type: 'cancelled' } });
    expect(valueOf(await test.window.sessions.open({ sessionId })).questions).toEqual([]);
    valueOf(await test.window.sessions.submit({ sessionId, text: 'again' }));
    await expect.poll(() => test.app.sessions.get(sessionId)?.waitingApprovals).toBe(1);
    await test.close();
    const next = await startTestApp(data);
    valueOf(await next.window.app.getState({}));
    const view = valueOf(await next.window.sessions.open({ sessionId }));
    expect(view).toMatchObject({ questions: [], lastOutcome: { type: 'interrupted' } });
    await next.close();
    await server.stop();
  });

  it('APPR-23: there is no such tool where its permission is off', async () => {
    const server = await startChatServer(asks('Which?'), says('Done.'));
    const { test } = await asking(server, { permission: 'off' });
    expect(await test.until(ended)).toMatchObject({ outcome: { type: 'completed' } });
    expect(JSON.stringify(server.seen[0]?.body)).not.toContain('ask_user');
    expect(lastTold(server)).toContain('There is no tool');
    await test.close();
    await server.stop();
  });

  it('APPR-24: without a terminal it does not wait and says that there is nobody to ask', async () => {
    const server = await startChatServer(asks('Which?'), says('Done.'));
    const data = await tempFolder();
    const test = await startTestApp(data);
    valueOf(await test.window.app.getState({}));
    valueOf(await test.window.settings.update({ patch: { tools: { ask_user: 'ask' } } }));
    await test.close();
    const project = await tempFolder();
    const ran = await runWarrant(data, ['run', '--project', project, '--model', server.model, 'do it']);
    expect(ran).toMatchObject({ code: 0 });
    expect(lastTold(server)).toContain('There is nobody to ask');
    await server.stop();
  });
});
