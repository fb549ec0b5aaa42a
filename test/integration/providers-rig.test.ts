// Every script of the rig on all four wires, at the Model port: each outcome is one line, and each is the whole answer
// or a clear error.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import scenarios from '../bench/rig/scenarios.json' with { type: 'json' };
import { createModel } from '../../src-main/providers/create-model.ts';
import { converse } from '../helpers/converse.ts';
import { checkLeaks } from '../helpers/leak-check.ts';
import { startRig, type Rig } from '../helpers/start-rig.ts';

checkLeaks();

const WIRES = ['openai-compatible', 'openai-responses', 'anthropic', 'gemini'] as const;
type Wire = (typeof WIRES)[number];

const read = 'read_file({"path":"a.txt"})';
const cut = 'provider.stream-cut';
const said = (text: string): string => `stop "${text}"`;
const write = (n: number): string => `write_file({"path":"/w/w${n}.txt","content":"alpha ${n}\\nbeta\\n"})`;
const run = (n: number): string => `shell({"command":"echo run-${n}"})`;
const line = (...rounds: readonly string[]): string => rounds.join(' > ');

/** What each script comes to; a wire that differs by its nature is named. */
const OUTCOMES: Record<string, string | ({ all: string } & Partial<Record<Wire, string>>)> = {
  text: said('DONE bench answer.'),
  read1: line(read, said('DONE the file was read.')),
  toolmix: line(write(0), write(1), run(0), run(1), said('DONE mix.')),
  parallel: line(Array.from({ length: 8 }, () => read).join(' + '), said('DONE parallel.')),
  md500: 'stop 41276 characters',
  f_429: line('provider.rate-limited in 1000 ms', 'provider.rate-limited in 1000 ms', said('Answer after 429 DONE')),
  f_500: line('provider.unavailable', 'provider.unavailable', said('Answer after 500 DONE')),
  f_529: line('provider.unavailable', 'provider.unavailable', said('Answer after 529 DONE')),
  f_cutHeaders: line('provider.unavailable', 'provider.unavailable', said('Answer after cut DONE')),
  f_cut: line(cut, cut, said('Answer after a cut in the middle of this somewhat longer answer text DONE')),
  f_cutTool: {
    all: line(cut, read, said('Answer after a cut tool call DONE')),
    // Its call is one event, which is complete before the cut would come.
    gemini: line(read, said('Answer after a cut tool call DONE')),
  },
  f_stall: said('Answer after a stall of the stream DONE'),
  f_noEnd: line(cut, said('Answer without an end DONE')),
  f_badJson: said('Answer with one bad event in it DONE'),
  f_badEvent: said('Answer with an unknown event DONE'),
  f_comments: line(read, said('Answer with comments DONE')),
  f_split1: said('Answer häßlich 漢字 🙂 split DONE'),
  f_crlf: said('Answer with CRLF DONE'),
  f_badArgs: {
    all: line('read_file({"path":")', said('Answer after bad arguments DONE')),
    // Arguments are an object on this wire, never text.
    gemini: line(read, said('Answer after bad arguments DONE')),
  },
  f_emptyArgs: {
    all: line('read_file()', said('Answer after empty arguments DONE')),
    anthropic: line('read_file({})', said('Answer after empty arguments DONE')),
    gemini: line(read, said('Answer after empty arguments DONE')),
  },
  f_unknownTool: line('no_such_tool_xyz({"a":1})', said('Answer after an unknown tool DONE')),
  f_nullDelta: said('Answer with null deltas DONE'),
  f_html: line('provider.bad-response', said('Answer after a portal page DONE')),
  f_empty: line('provider.bad-response', said('Answer after an empty body DONE')),
  f_errorEvent: line('provider.unavailable', said('Answer after an error in the middle of the stream DONE')),
  f_dupIndex: line(`${read} + ${read}`, said('Answer dup index DONE')),
  f_dupId: line(read, said('Answer dup id DONE')),
  f_huge: 'stop 10000012 characters',
  f_length: 'length "This answer was cut by the token lim"',
  f_overflow: 'provider.context-too-long',
};

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
const lines: string[] = [];
afterAll(async () => {
  console.log(lines.join('\n'));
  await rig.stop();
});

test('every fault that the rig knows has an expected outcome here', () => {
  const scripts = Object.keys(scenarios.scenarios).filter((name) => name.startsWith('f_'));
  expect(
    Object.keys(OUTCOMES)
      .filter((name) => name.startsWith('f_'))
      .sort(),
  ).toEqual(scripts.sort());
});

async function outcome(wire: Wire, name: string): Promise<string> {
  const model = await createModel(`${wire}:bench-model@http://127.0.0.1:${rig.port}/v1`, { apiKey: 'sk-not-real' });
  return converse(model, `[[bench ${name} id=${wire} path=a.txt rounds=2 cwd=/w]]`);
}

describe.each(WIRES)('on the wire %s', (wire) => {
  test.each(Object.entries(OUTCOMES))(
    'the script %s ends with the whole answer or a clear error',
    async (name, expected) => {
      const came = await outcome(wire, name);
      lines.push(`${name.padEnd(14)}${wire.padEnd(19)}${came}`);
      expect(came).toBe(typeof expected === 'string' ? expected : (expected[wire] ?? expected.all));
    },
  );
});
