// The chat of most pictures: a retry made safe, calls of several kinds, a command that waits for its answer.
import type { Approval, SessionSummary, SessionView } from '../../src-main/contract/session.ts';
import type { Project } from '../../src-main/contract/project.ts';
import { fakeView, QWEN } from './fake-content.ts';
import { callId, createEntryMaker, FAKE_NOW, turnId, type EntryMaker } from './fake-entries.ts';

const TURN = turnId('t1');
const usage = { input: 21_000, output: 640, cachedInput: 18_000, reasoning: 90, costUsd: 0.02 };

export const checkoutDiff = `--- a/src/checkout.ts
+++ b/src/checkout.ts
@@ -18,9 +18,18 @@ export interface CheckoutOptions {
 
 /** Places the order. Calling it again with the same cart gives the same order. */
 export async function checkout(cart: Cart, options: CheckoutOptions): Promise<Order> {
-  const response = await retry(() => post('/orders', cart), options.retries);
-  if (!response.ok) throw new CheckoutError(response.status);
-  return toOrder(response.body);
+  const key = cart.checkoutKey ?? crypto.randomUUID();
+  const response = await retry(
+    () =>
+      post('/orders', cart, {
+        headers: { 'Idempotency-Key': key },
+      }),
+    options.retries,
+  );
+  if (!response.ok) {
+    throw new CheckoutError(response.status, { key });
+  }
+  return toOrder(response.body, key);
 }
`;

interface FakeCall {
  readonly id: string;
  readonly tool: string;
  readonly args: object;
  readonly summary: string;
  readonly content: string;
  readonly ms: number;
}

function addCalls(maker: EntryMaker, step: number, text: string, calls: readonly FakeCall[]): void {
  maker.add('assistant-message', {
    turnId: TURN,
    step,
    model: QWEN,
    finish: 'tool-calls',
    usage,
    durationMs: 2100,
    parts: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ id, tool, args }) => ({
        type: 'tool-call' as const,
        callId: callId(id),
        name: tool,
        argumentsText: JSON.stringify(args),
      })),
    ],
  });
  for (const call of calls) {
    const common = { turnId: TURN, callId: callId(call.id), tool: call.tool, summary: call.summary };
    maker.add('verdict', {
      ...common,
      effects: [],
      decision: 'run',
      by: { who: 'mode', mode: 'ask' },
      reason: 'reads inside the folder',
      lasting: 'once',
      digest: '4c1d',
      confined: false,
    });
    maker.add('tool-start', { ...common, digest: '4c1d', preview: { type: 'none' } });
    maker.add('tool-result', {
      ...common,
      status: 'ok',
      content: call.content,
      facts: {},
      changes: [],
      durationMs: call.ms,
    });
  }
  maker.add('step-end', { turnId: TURN, step });
}

function addEdit(maker: EntryMaker): void {
  const common = { turnId: TURN, callId: callId('c-edit'), tool: 'edit_file', summary: 'Edit src/checkout.ts' };
  const preview = {
    type: 'diff' as const,
    path: 'src/checkout.ts',
    diff: checkoutDiff,
    added: 12,
    removed: 3,
    created: false,
  };
  const effects = [{ kind: 'write-inside' as const, target: 'src/checkout.ts' }];
  const argumentsText = JSON.stringify({ path: 'src/checkout.ts', old: 'const response', new: 'const key' });
  maker.add('assistant-message', {
    turnId: TURN,
    step: 2,
    model: QWEN,
    finish: 'tool-calls',
    usage,
    durationMs: 3400,
    parts: [{ type: 'tool-call', callId: common.callId, name: 'edit_file', argumentsText }],
  });
  maker.add('approval-request', {
    ...common,
    argumentsText,
    effects,
    preview,
    digest: 'a1b2',
    why: 'changes to files ask in this mode.',
    grant: { tool: 'edit_file', covers: 'src/checkout.ts', describes: 'changes to src/checkout.ts' },
  });
  maker.add('verdict', {
    ...common,
    effects,
    decision: 'run',
    by: { who: 'person' },
    reason: '',
    lasting: 'once',
    digest: 'a1b2',
    confined: false,
  });
  maker.add('tool-start', { ...common, digest: 'a1b2', preview });
  maker.add('tool-result', {
    ...common,
    status: 'ok',
    content: 'Edited src/checkout.ts',
    facts: {},
    durationMs: 4,
    changes: [{ path: 'src/checkout.ts', before: '11', after: '22', diff: checkoutDiff, added: 12, removed: 3 }],
  });
  maker.add('step-end', { turnId: TURN, step: 2 });
}

/** The chat, running, with one command that waits. */
export function fakeCheckoutChat(summary: SessionSummary, project: Project): SessionView {
  const maker = createEntryMaker(summary.id);
  maker.add('session-start', { model: QWEN, mode: 'ask', confinement: true });
  maker.add('user-message', {
    turnId: TURN,
    text: 'The checkout request sometimes runs twice when the network drops. Make the retry safe and prove it with a test.',
    attachments: [],
  });
  const read = (id: string, path: string, ms: number): FakeCall => ({
    id,
    tool: 'read_file',
    args: { path },
    summary: `Read ${path}`,
    content: `1  import …\n2  // ${path}`,
    ms,
  });
  const about =
    'The handler retries the whole request, so a lost reply charges again. I will give each checkout a key and let the server answer a repeated key from its first result.';
  addCalls(maker, 1, about, [
    read('c1', 'src/checkout.ts', 3),
    read('c2', 'src/http/retry.ts', 2),
    read('c3', 'src/http/post.ts', 2),
    read('c4', 'test/checkout.test.ts', 2),
    {
      id: 'c5',
      tool: 'grep',
      args: { pattern: 'idempotency' },
      summary: 'Search idempotency',
      ms: 21,
      content: 'src/http/post.ts:14\nsrc/server/orders.ts:41\nsrc/server/orders.ts:77',
    },
  ]);
  addEdit(maker);
  const waiting = waitingCommand(summary, 'npm test -- checkout --coverage=false');
  maker.add('assistant-message', {
    turnId: TURN,
    step: 3,
    model: QWEN,
    finish: 'tool-calls',
    usage,
    durationMs: 1900,
    parts: [
      { type: 'text', text: 'Now the test. It needs the suite to run once.' },
      { type: 'tool-call', callId: waiting.callId, name: 'shell', argumentsText: waiting.argumentsText },
    ],
  });
  const { sessionId: _session, folder: _folder, askedAtMs: _askedAtMs, ...request } = waiting;
  maker.add('approval-request', request);
  return fakeView(summary, project, maker.entries, { approvals: [waiting] });
}

/** A command that waits for the person. */
export function waitingCommand(summary: SessionSummary, command: string, id = 'c-shell'): Approval {
  return {
    sessionId: summary.id,
    turnId: TURN,
    callId: callId(id),
    tool: 'shell',
    summary: `Run ${command}`,
    argumentsText: JSON.stringify({ command }),
    effects: [{ kind: 'command', target: command }],
    preview: { type: 'command', command, cwd: '/home/sam/shop', confined: true, network: false, timeoutMs: 120_000 },
    digest: '77aa',
    why: 'commands always ask in this mode.',
    grant: { tool: 'shell', covers: command, describes: 'this exact command in this folder' },
    folder: '~/shop',
    askedAtMs: FAKE_NOW,
  };
}
