// Every fault of the rig on every wire, through the engine: what a turn of two calls and an answer comes to when the
// model service fails at its first tries, and a person goes on with it. Used by a bench (all of it) and a test (a part).
import { newId } from '../../src-main/base/new-id.ts';
import type { Outcome } from '../../src-main/contract/entries.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { createSession } from '../../src-main/engine/build-session.ts';
import type { Clock } from '../../src-main/engine/ports.ts';
import type { Session } from '../../src-main/engine/session.ts';
import { createModel } from '../../src-main/providers/create-model.ts';
import { nodeFetch } from '../../src-main/providers/transport/node-fetch.ts';
import { MemoryJournal, rigConfig, testTool } from './engine-ports.ts';

export const WIRES = ['openai-compatible', 'openai-responses', 'anthropic', 'gemini'] as const;
export type Wire = (typeof WIRES)[number];

/** What the service does wrong; `stream` is how it writes. */
interface Fault {
  readonly fault?: Record<string, unknown>;
  readonly stream?: Record<string, unknown>;
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  'status 401': { fault: { kind: 'status', code: 401 } },
  'status 429': { fault: { kind: 'status', code: 429, retryAfter: 1 } },
  'status 500': { fault: { kind: 'status', code: 500 } },
  'status 529': { fault: { kind: 'status', code: 529 } },
  'cut before any byte': { fault: { kind: 'cutHeaders' } },
  'cut after 1 event': { fault: { kind: 'cut', after: 1 } },
  'cut after 4 events': { fault: { kind: 'cut', after: 4 } },
  'cut after 9 events': { fault: { kind: 'cut', after: 9 } },
  stall: { fault: { kind: 'stall', after: 3, ms: 100 } },
  hang: { fault: { kind: 'hang', after: 3 } },
  'no end': { fault: { kind: 'noEnd' } },
  'an event that is no JSON': { fault: { kind: 'badJson', after: 3 } },
  'an unknown event': { fault: { kind: 'badEvent' } },
  comments: { fault: { kind: 'comments' } },
  'cut arguments': { fault: { kind: 'badArgs' } },
  'empty arguments': { fault: { kind: 'emptyArgs' } },
  'null deltas': { fault: { kind: 'nullDelta' } },
  'an unknown tool': { fault: { kind: 'unknownTool' } },
  'one index for two calls': { fault: { kind: 'dupIndex' } },
  'one id for two calls': { fault: { kind: 'dupId' } },
  'a web page': { fault: { kind: 'html' } },
  'an empty body': { fault: { kind: 'empty' } },
  'an error in the stream': { fault: { kind: 'errorEvent' } },
  'a huge event': { fault: { kind: 'huge', bytes: 200_000 } },
  'too long for the window': { fault: { kind: 'overflow' } },
  'refused by the model': { fault: { kind: 'refusal' } },
  'cut by the token limit': { fault: { kind: 'length' } },
  'single bytes': { stream: { splitBytes: 1 } },
  'lines of CR and LF': { stream: { crlf: true } },
};

/** Which tries of each round fail: the first, the first two, or every one to the last. */
export const TRIES = { first: 1, second: 2, last: 99 } as const;
export type Try = keyof typeof TRIES;

export interface FaultCase {
  readonly wire: Wire;
  readonly name: string;
  readonly upTo: Try;
  /** false = the service answers with one JSON body, although a stream was asked for. */
  readonly streamed: boolean;
}

export interface FaultResult {
  /** `whole` = the whole answer was shown, and as whole; `error` = a typed error with words. */
  readonly came: 'whole' | 'error' | 'CUT SHOWN AS WHOLE' | 'HANG' | 'RUN TWICE' | 'NO REASON';
  /** Codes of the turns that failed on the way, in order; the last may be another end (`loop-detected`). */
  readonly codes: readonly string[];
}

const ANSWER = 'An answer that is long enough to be cut anywhere in it, whole to its very last word 漢字 DONE';
/** How often a person goes on with a turn that failed. */
const CONTINUES = 4;
/** Time runs this many times as fast for the engine as for the service. */
const HASTE = 20;
/** A turn that has not ended by then hangs: the engine gives a silent stream 1 s of ours (20 s of its own) a try. */
export const HANG_MS = 60_000;

const scenarioOf = (name: string, upTo: Try): string => `fault ${name} ${upTo}`.replaceAll(/[^a-z0-9]+/gi, '_');

/** The rig's scripts of all cases, by name. */
export function faultScenarios(): Record<string, unknown> {
  const scripts: Record<string, unknown> = {};
  for (const [name, { fault, stream }] of Object.entries(FAULTS)) {
    for (const upTo of Object.keys(TRIES) as Try[]) {
      const how = { ...(fault ? { fault, faultTimes: TRIES[upTo] } : {}), stream: { chunkChars: 4, ...stream } };
      const write = (n: number): object => ({ tool: 'raw', name: 'write', args: { n } });
      const turns = [
        { say: 'I write.', do: [write(1), write(2)], ...how },
        { say: ANSWER, ...how },
      ];
      scripts[scenarioOf(name, upTo)] = { turns };
    }
  }
  return scripts;
}

const hasty: Clock = {
  nowMs: () => Date.now() * HASTE,
  after: (ms, fire) => clearTimeout.bind(null, setTimeout(fire, ms / HASTE)),
};

/** The same request without the wish for a stream: the service answers it with one body. */
const unstreamed: typeof nodeFetch = (input, init) => {
  const url = (input instanceof Request ? input.url : input.toString())
    .replace(':streamGenerateContent', ':generateContent')
    .replace(/\?alt=sse$/, '');
  const body = typeof init?.body === 'string' ? init.body.replace('"stream":true', '"stream":false') : init?.body;
  return nodeFetch(url, { ...init, ...(body === undefined ? {} : { body }) });
};

/** Plays one case on the rig that listens on `port`. */
export async function playFault(one: FaultCase, port: number): Promise<FaultResult> {
  const model = await createModel(`${one.wire}:bench-model@http://127.0.0.1:${port}/v1`, {
    apiKey: 'sk-not-real',
    ...(one.streamed ? {} : { fetch: unstreamed }),
  });
  const write = testTool('write', {
    parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  });
  const journal = new MemoryJournal();
  const session = await createSession(
    { ...rigConfig({ limits: { idleStreamMs: 20_000 } }), sessionId: newId<SessionId>() },
    { clock: hasty, model, journal, tools: [write], approver: null, policy: null, confiner: null },
  );
  const codes: string[] = [];
  const marker = `[[bench ${scenarioOf(one.name, one.upTo)} id=${one.wire}${String(one.streamed)}]]`;
  let outcome = await inTime(session, () => session.send(marker).then((turn) => turn.outcome));
  for (let again = 0; outcome?.type === 'failed'; again++) {
    codes.push(outcome.error.code);
    if (outcome.error.message.trim() === '') return { came: 'NO REASON', codes };
    if (again === CONTINUES) break;
    outcome = await inTime(session, async () => {
      await session.continueTurn();
      return session.runTurn();
    });
  }
  const ran = write.ran.map((args) => JSON.stringify(args));
  if (outcome === null) return { came: 'HANG', codes };
  if (new Set(ran).size !== ran.length) return { came: 'RUN TWICE', codes };
  if (outcome.type !== 'completed') {
    return { came: 'error', codes: outcome.type === 'failed' ? codes : [...codes, outcome.type] };
  }
  const { parts = [] } = journal.of('assistant-message').at(-1)?.data ?? {};
  const said = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { came: isWhole(one.name, said) ? 'whole' : 'CUT SHOWN AS WHOLE', codes };
}

/** A huge event stands in the place of a piece of the answer. */
function isWhole(name: string, said: string): boolean {
  if (said === ANSWER) return true;
  return name === 'a huge event' && said.length > 200_000 && said.endsWith(ANSWER.slice(8));
}

async function inTime(session: Session, work: () => Promise<Outcome | null>): Promise<Outcome | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => {
    session.stop('the test');
    resolve(null);
  }, HANG_MS);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Plays cases, some side by side, in their order. */
export async function playFaults(
  cases: readonly FaultCase[],
  port: number,
): Promise<{ one: FaultCase; result: FaultResult }[]> {
  const played: { one: FaultCase; result: FaultResult }[] = [];
  for (let from = 0; from < cases.length; from += 16) {
    const some = cases.slice(from, from + 16);
    const results = await Promise.all(some.map(async (one) => ({ one, result: await playFault(one, port) })));
    played.push(...results);
  }
  return played;
}
