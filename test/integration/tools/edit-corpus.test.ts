// Edits over real source files in every dress that text wears, against a reference that works on the whole text alone: what is
// outside of the span stays as it is, byte for byte. 2,000 edits; WARRANT_LONG=1 makes 50,000.
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { planChange } from '../../../src-main/tools/workspace/plan-change.ts';
import { openTools } from '../../helpers/opened-tools.ts';

const LONG = process.env['WARRANT_LONG'] === '1';
const EDITS = LONG ? 50_000 : 2_000;
/** Each so many of them goes through the tool and a real file too. */
const THROUGH_TOOL = LONG ? 25 : 40;
const MOST_BYTES = 48 * 1024;

/** A small generator of numbers: 0 up to, not including, `below`. The same seed gives the same numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

/** Text files of installed packages, sorted by path. */
function sources(count: number): string[] {
  const modules = path.resolve(import.meta.dirname, '../../../node_modules');
  const out: string[] = [];
  for (const name of fs.readdirSync(modules).sort()) {
    if (name.startsWith('.') || name.startsWith('@')) continue;
    const folder = path.join(modules, name);
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isFile() || !/\.(js|ts|mjs|cjs|md|json|css)$/.test(entry.name)) continue;
      const file = path.join(folder, entry.name);
      const { size } = fs.statSync(file);
      if (size > 200 && size < MOST_BYTES) out.push(file);
      if (out.length >= count) return out;
    }
  }
  return out;
}

/** A text with LF alone, and what it is on disk. */
interface Dress {
  readonly name: string;
  readonly wear: (text: string) => string;
  readonly end: '\n' | '\r\n';
  readonly encode: (text: string) => Buffer;
}

const utf8 = (mark: string) => (text: string) => Buffer.from(mark + text, 'utf8');
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const same = (text: string) => text;
const DRESSES: readonly Dress[] = [
  { name: 'as it is', wear: same, end: '\n', encode: utf8('') },
  { name: 'CRLF', wear: same, end: '\r\n', encode: utf8('') },
  { name: 'mark', wear: same, end: '\n', encode: utf8('\uFEFF') },
  { name: 'mark, CRLF', wear: same, end: '\r\n', encode: utf8('\uFEFF') },
  {
    name: 'tabs',
    wear: (text) => text.replace(/^( {2})+/gm, (run) => '\t'.repeat(run.length / 2)),
    end: '\n',
    encode: utf8(''),
  },
  { name: 'no final line end', wear: (text) => text.replace(/\n+$/, ''), end: '\n', encode: utf8('') },
  { name: 'no final line end, CRLF', wear: (text) => text.replace(/\n+$/, ''), end: '\r\n', encode: utf8('') },
  {
    name: 'combining characters',
    wear: (text) => text.replaceAll('e', 'e\u0301').replaceAll('o', '👩‍👩‍👧o').replaceAll('a', 'ä\u0323'),
    end: '\n',
    encode: utf8(''),
  },
  { name: 'spaces at line ends', wear: (text) => text.replace(/\n/g, ' \t\n'), end: '\n', encode: utf8('') },
  { name: 'UTF-16, low byte first', wear: same, end: '\n', encode: utf16 },
  { name: 'UTF-16, high byte first', wear: same, end: '\r\n', encode: (text) => utf16(text).swap16() },
];

const NEW_TEXTS = ['', 'x', 'one\ntwo\n', '\n', '$& $1 $$ $`', 'e\u0301\t', 'const a = 1; // 💥', '\\n', 'last\n\n\n'];

/** A span of whole characters that is nowhere else in the text; null = this place has none. */
function spanIn(text: string, next: (below: number) => number): { start: number; end: number } | null {
  const start = next(text.length);
  for (const length of [1 + next(80), 60 + next(200), 300 + next(500)]) {
    const end = Math.min(text.length, start + length);
    const old = text.slice(start, end);
    if (old.trim() === '' || !old.isWellFormed()) continue;
    if (text.indexOf(old) === start && text.indexOf(old, start + 1) === -1) return { start, end };
  }
  return null;
}

it('FIG-22: every edit is what a reference makes of the whole text, in any dress', { timeout: 900_000 }, async () => {
  const files = sources(400).map((file) =>
    fs.readFileSync(file, 'utf8').replace(/\r\n?/g, '\n').replaceAll('\uFEFF', ''),
  );
  expect(files.length).toBeGreaterThan(100);
  const next = numbers(22);
  const tools = await openTools();
  const seen = new Map<string, number>();
  let done = 0;
  for (let tries = 0; done < EDITS && tries < EDITS * 5; tries++) {
    const dress = DRESSES[tries % DRESSES.length];
    const source = files[next(files.length)];
    if (dress === undefined || source === undefined) break;
    const text = dress.wear(source);
    // Of one line alone nobody can tell which ends its lines would have.
    const fits = text.includes('\n') && !text.includes('\0') && text.isWellFormed();
    const span = fits ? spanIn(text, next) : null;
    if (span === null) continue;
    const old = text.slice(span.start, span.end);
    const fresh = NEW_TEXTS[next(NEW_TEXTS.length)] ?? '';
    const worn = (whole: string): Buffer => dress.encode(whole.replaceAll('\n', dress.end));
    const after = text.slice(0, span.start) + fresh + text.slice(span.end);
    if (fresh === old || after === text) continue;
    // Models write LF, or what they saw.
    const spelled = next(2) === 0 ? old : old.replaceAll('\n', dress.end);
    const [base, expected] = [worn(text), worn(after)];
    const request = { type: 'edits', edits: [{ oldString: spelled, newString: fresh, replaceAll: false }] } as const;
    const plan = planChange('f', base, request);
    if (!expected.equals(plan.bytes))
      expect([dress.name, old, fresh, Buffer.from(plan.bytes)]).toEqual([dress.name, old, fresh, expected]);
    if (done % THROUGH_TOOL === 0) {
      const file = path.join(tools.root, 'f');
      fs.writeFileSync(file, base);
      tools.forget();
      await tools.call('read_file', { path: 'f' });
      const outcome = await tools.call('edit_file', { path: 'f', old_string: spelled, new_string: fresh });
      expect([outcome.status, dress.name]).toEqual(['ok', dress.name]);
      expect(fs.readFileSync(file).equals(expected)).toBe(true);
    }
    done += 1;
    seen.set(dress.name, (seen.get(dress.name) ?? 0) + 1);
  }
  expect(done).toBe(EDITS);
  for (const { name } of DRESSES) expect([name, (seen.get(name) ?? 0) > EDITS / 40]).toEqual([name, true]);
  if (LONG)
    console.log(
      `FIG-22 edits: ${done}, each equal to the reference; ${Math.ceil(done / THROUGH_TOOL)} through the tool`,
    );
});
