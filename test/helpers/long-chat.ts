// A chat of very many steps against a model with a small window that refuses what does not fit: it reads all the time, is
// told a needle early, and at the end has to find it again. Used by a test (some steps) and a bench (all of them).
import { newId } from '../../src-main/base/new-id.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { createSession } from '../../src-main/engine/build-session.ts';
import type { Model, ModelEvent, ModelMessage, ModelRequest } from '../../src-main/engine/ports.ts';
import type { Session } from '../../src-main/engine/session.ts';
import { MemoryJournal, ok, rigConfig, testTool } from './engine-ports.ts';

/** Tokens of the window. */
export const WINDOW = 32_000;
/** What is told once, at step 5. */
export const NEEDLE = 'the needle is 7f3a-91c4';
/** Steps with a call, of each turn. */
const CALLS_A_TURN = 24;

export interface LongChat {
  readonly session: Session;
  readonly journal: MemoryJournal;
  /** Outcomes of turns that did not complete. */
  readonly failures: string[];
  /** Tokens of the largest request, by a count of its own. */
  readonly most: number;
  /** Tokens that were sent in all. */
  readonly sent: number;
  /** Share of all that was sent that was the same as in the request before, from the beginning on. */
  readonly same: number;
  /** What came of the last search for the needle. */
  readonly found: string;
  /** Milliseconds of each step, in order. */
  readonly times: readonly number[];
}

/** Another count than the engine's: words and signs, four characters a token at most. */
function countTokens(request: ModelRequest): number {
  let tokens = Math.ceil((request.system.length + JSON.stringify(request.tools).length) / 4);
  for (const message of request.messages) tokens += tokensOf(message);
  return tokens;
}

const known = new WeakMap<ModelMessage, number>();

function tokensOf(message: ModelMessage): number {
  let tokens = known.get(message);
  if (tokens === undefined) {
    tokens = Math.ceil((JSON.stringify(message).match(/[\p{L}\p{N}]{1,4}|[^\s\p{L}\p{N}]/gu) ?? []).length * 0.9);
    known.set(message, tokens);
  }
  return tokens;
}

/** Plays so many steps. */
export async function playLongChat(steps: number): Promise<LongChat> {
  let [step, most, sent, same] = [0, 0, 0, 0];
  let before: readonly ModelMessage[] = [];
  const times: number[] = [];
  let lastMs = performance.now();
  const isOver = (): boolean => step >= steps;
  async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const tokens = countTokens(request);
    most = Math.max(most, tokens);
    if (tokens > WINDOW) {
      const error = { code: 'provider.context-too-long', message: 'too long', retryable: false } as const;
      yield { type: 'error', error, retryAfterMs: null };
      return;
    }
    sent += tokens;
    const differs = request.messages.findIndex((message, at) => message !== before[at]);
    for (const message of request.messages.slice(0, differs < 0 ? undefined : differs)) same += tokensOf(message);
    before = request.messages;
    step += 1;
    times.push(performance.now() - lastMs);
    lastMs = performance.now();
    const usage = { input: tokens, output: 40, cachedInput: 0, reasoning: 0, costUsd: null };
    if (isOver()) {
      const asked = request.messages.at(-1)?.role === 'user';
      if (asked) yield { type: 'call', providerId: '', name: 'sidecar_search', argumentsText: '{"query":"needle"}' };
      else yield { type: 'text', text: 'found' };
    } else if (step % (CALLS_A_TURN + 1) === 0) yield { type: 'text', text: `Turn done at step ${step}.` };
    else yield { type: 'call', providerId: '', name: 'look', argumentsText: `{"at":${step}}` };
    yield { type: 'finish', reason: 'stop', usage };
  }
  const model: Model = {
    ref: 'test:long',
    capabilities: { tools: true, systemPrompt: true, reasoningHistory: null, images: null, contextWindow: WINDOW },
    stream,
  };
  const look = testTool('look', {
    run: async ({ state }) => {
      const { at } = state as { at: number };
      const words = `place ${at} has nothing of note in it, `.repeat(20 + ((at * 7919) % 90));
      return ok(at === 5 ? `${words} ${NEEDLE}` : words);
    },
  });
  const journal = new MemoryJournal();
  const limits = { loopSameCallInRow: 0, loopSameCallInWindow: 0 };
  const session = await createSession(
    { ...rigConfig({ contextTools: true, limits }), sessionId: newId<SessionId>() },
    {
      ...{ model, journal, tools: [look], approver: null, policy: null, confiner: null },
      clock: { nowMs: Date.now, after: (ms, fire) => clearTimeout.bind(null, setTimeout(fire, ms)) },
    },
  );
  const failures: string[] = [];
  while (!isOver()) {
    const { outcome } = await session.send('Look on.');
    if (outcome?.type !== 'completed') failures.push(JSON.stringify(outcome));
    if (failures.length > 3) break;
  }
  await session.send('Where is the needle?');
  const found = journal.of('tool-result').findLast(({ data }) => data.tool === 'sidecar_search')?.data.content ?? '';
  return { session, journal, failures, most, sent, same: same / Math.max(1, sent), found, times };
}
