// A process of its own for the crash rig: several chats of one project that run commands without end. Run as
// crash-child.ts DATA FOLDER [CHAT]...; makes the chats that are not named, prints `chat ID` for each, and the token of each
// command whose turn has ended. It is ended by being killed.
import { randomUUID } from 'node:crypto';
import module from 'node:module';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { startTestApp, valueOf } from '../helpers/test-app.ts';

const [, , data = '', folder = '', ...known] = process.argv;
const CHATS = 3;

const test = await startTestApp(data, {
  approverFor: () => ({
    ask: ({ prepared: { digest } }) => Promise.resolve({ type: 'allow', lasting: 'once', digest }),
  }),
});
// It does not get to its end, where Node would keep what it compiled.
module.flushCompileCache();
valueOf(await test.window.app.getState({}));
const project = valueOf(await test.window.projects.open({ path: folder }));

/** Goes on with a turn that was killed while it waited for an answer. */
async function goOn(sessionId: SessionId): Promise<void> {
  const live = await test.app.sessions.load(sessionId);
  const waiting = live.approvals();
  if (waiting.length === 0) return;
  live.resume(
    new Map(waiting.map(({ callId, digest }) => [callId, { type: 'allow', lasting: 'once', digest } as const])),
  );
  await live.idle();
}

async function run(sessionId: SessionId): Promise<void> {
  await goOn(sessionId);
  for (;;) {
    const token = randomUUID();
    valueOf(await test.window.sessions.submit({ sessionId, text: `run echo ${token} >> effects` }));
    // Of each chat one message is always queued behind the running one.
    valueOf(await test.window.sessions.submit({ sessionId, text: 'help' }));
    await test.app.sessions.get(sessionId)?.idle();
    process.stdout.write(`${token}\n`);
  }
}

for (let n = 0; n < CHATS; n++) {
  const given = known[n] as SessionId | undefined;
  const sessionId = given ?? valueOf(await test.window.sessions.create({ projectId: project.id, model: 'guide' })).id;
  if (!given) valueOf(await test.window.sessions.setConfinement({ sessionId, on: false }));
  process.stdout.write(`chat ${sessionId}\n`);
  void run(sessionId);
}
