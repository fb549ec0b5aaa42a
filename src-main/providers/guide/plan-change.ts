// "Replace A by B in F" and "create F with TEXT". A file is read before it is changed, so that what is said of it is true.
import { isObject } from '../wire-traits.ts';
import { notDone, notOffered } from './failures.ts';
import { block, code, counted } from './markdown.ts';
import type { Wish } from './parse-wish.ts';
import { fileText, notesOf } from './tool-texts.ts';
import { say, type DoneCall, type Step, type Work } from './work.ts';

type Replace = Extract<Wish, { kind: 'replace' }>;
type Write = Extract<Wish, { kind: 'write' }>;

/** The first name of `names` among the properties of a schema. */
function firstOf(schema: unknown, names: readonly string[]): string | null {
  const properties = isObject(schema) ? schema['properties'] : null;
  return isObject(properties) ? (names.find((name) => name in properties) ?? null) : null;
}

/** The arguments of edit_file in the shape that its declaration asks for; null when it is none that the guide knows. */
function editArguments(work: Work, wish: Replace): Record<string, unknown> | null {
  const schema = work.tool('edit_file')?.parameters;
  const properties = isObject(schema?.['properties']) ? schema['properties'] : {};
  const edits = properties['edits'];
  const item = isObject(edits) ? edits['items'] : schema;
  const before = firstOf(item, ['old_text', 'old_string', 'old']);
  const after = firstOf(item, ['new_text', 'new_string', 'new']);
  const all = firstOf(item, ['replace_all']);
  if (before === null || after === null) return null;
  const edit = { [before]: wish.before, [after]: wish.after, ...(wish.all && all !== null ? { [all]: true } : {}) };
  return isObject(edits) ? { path: wish.path, edits: [edit] } : { path: wish.path, ...edit };
}

function linesWith(text: string, part: string): string[] {
  const first = part.split('\n')[0] ?? '';
  return text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.includes(first))
    .map(({ line, number }) => `${number}: ${line}`);
}

/** What to do after the file was read: the edit, or why there is none. */
function decide(work: Work, wish: Replace, read: DoneCall): Step {
  const text = fileText(read.content);
  const hits = wish.before === '' ? 0 : text.split(wish.before).length - 1;
  const partial = notesOf(read.content.split('\n').slice(-2).join('\n')) !== '';
  if (wish.before === '')
    return say('Tell me which text to replace, for example: replace "old" by "new" in `README.md`.');
  if (hits === 0 && !partial) {
    const other = text.toLowerCase().includes(wish.before.toLowerCase())
      ? ' It is there with other capital letters, which I do not change on my own.'
      : '';
    return say(`${code(wish.path)} does not have ${code(wish.before)}, so I changed nothing.${other}`);
  }
  if (hits > 1 && !wish.all) {
    const lines = block(linesWith(text, wish.before).slice(0, 10).join('\n'));
    return say(
      `${code(wish.before)} is in ${code(wish.path)} ${hits} times, so I changed nothing:\n\n${lines}\n\nGive me more of the text around the one that you mean, or say: replace all "${wish.before}" by "${wish.after}" in ${wish.path}.`,
    );
  }
  const args = editArguments(work, wish);
  if (args === null)
    return say('The tool `edit_file` of this chat is one that I do not know how to use, so I changed nothing.');
  const times = hits > 1 ? `, ${hits} times` : '';
  return {
    say: `${code(wish.before)} becomes ${code(wish.after)} in ${code(wish.path)}${times}.`,
    calls: [{ name: 'edit_file', args }],
  };
}

/** The next step of a replacement. */
export function planReplace(work: Work, wish: Replace): Step {
  const purpose = `change ${code(wish.path)}`;
  if (work.tool('read_file') === undefined) return notOffered('read_file', purpose);
  if (work.tool('edit_file') === undefined) return notOffered('edit_file', purpose);
  const read = work.of('read_file')[0];
  if (read === undefined)
    return {
      say: `I read ${code(wish.path)} before I change it.`,
      calls: [{ name: 'read_file', args: { path: wish.path } }],
    };
  if (read.failed) return notDone(read, `read ${code(wish.path)}, and so changed nothing`);
  const edit = work.of('edit_file')[0];
  if (edit === undefined) return decide(work, wish, read);
  if (edit.failed) return notDone(edit, purpose);
  const result = edit.content.trim();
  return say(
    `Done: in ${code(wish.path)}, ${code(wish.before)} is now ${code(wish.after)}.${result === '' ? '' : `\n\n${block(result)}`}`,
  );
}

/** The next step of writing a file. */
export function planWrite(work: Work, wish: Write): Step {
  const purpose = `write ${code(wish.path)}`;
  if (work.tool('write_file') === undefined) return notOffered('write_file', purpose);
  const writes = work.of('write_file');
  const written = writes.find((call) => !call.failed);
  if (written !== undefined) {
    const size = counted(wish.content === '' ? 0 : wish.content.replace(/\n$/, '').split('\n').length, 'line');
    return say(`Done: ${code(wish.path)} is written, ${size}.\n\n${block(written.content.trim() || 'written')}`);
  }
  const call = { name: 'write_file', args: { path: wish.path, content: wish.content } };
  const [first] = writes;
  if (first === undefined) return { say: `I write ${code(wish.path)}.`, calls: [call] };
  const read = work.of('read_file')[0];
  // A file that is there must have been read before it may be written over.
  const wantsReading = /read/i.test(first.content) && !/denied/i.test(first.content);
  if (!wantsReading || writes.length > 1 || work.tool('read_file') === undefined) return notDone(first, purpose);
  if (read === undefined) {
    return {
      say: `${code(wish.path)} is there already; I read it before I write it over.`,
      calls: [{ name: 'read_file', args: { path: wish.path } }],
    };
  }
  return read.failed ? notDone(read, purpose) : { say: 'Now I write it.', calls: [call] };
}
