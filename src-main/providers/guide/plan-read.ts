// "Read F" and "list files": shows what is there. A file that is not found under its name is looked for in the project.
import { notDone, notOffered } from './failures.ts';
import { namePattern } from './name-pattern.ts';
import { block, code, counted, firstLines } from './markdown.ts';
import { fileText, foundPaths, listedEntries, notesOf } from './tool-texts.ts';
import { say, type DoneCall, type Step, type Work } from './work.ts';
import type { Wish } from './parse-wish.ts';

const MAX_SHOWN_LINES = 200;

function rangeOf(wish: Extract<Wish, { kind: 'read' }>): Record<string, unknown> {
  if (wish.from === null) return {};
  return { offset: wish.from, limit: (wish.to ?? wish.from) - wish.from + 1 };
}

function shown(call: DoneCall): Step {
  const path = String(call.args['path']);
  const language = /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  const text = fileText(call.content);
  if (text.trim() === '') return say(`${code(path)} is empty.`);
  const notes = notesOf(call.content.split('\n').slice(-2).join('\n'));
  return say(
    `${code(path)}:\n\n${block(firstLines(text, MAX_SHOWN_LINES), language)}${notes === '' ? '' : `\n\n${notes}`}`,
  );
}

/** The folder and the bare name of a path as a person wrote it. */
function splitPath(path: string): { folder: string; name: string } {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return { folder: cut < 0 ? '.' : path.slice(0, cut) || '.', name: path.slice(cut + 1) };
}

/** A file of the listed folder that is meant by a name in other capitals or without its extension. */
function meantIn(listing: DoneCall, folder: string, name: string): string | null {
  if (listing.failed) return null;
  const wanted = name.toLowerCase();
  const names = listedEntries(listing.content)
    .filter((entry) => !entry.folder)
    .map((entry) => entry.name);
  const fit =
    names.find((entry) => entry.toLowerCase() === wanted) ??
    names.find((entry) => entry.toLowerCase().startsWith(`${wanted}.`));
  return fit === undefined ? null : folder === '.' ? fit : `${folder}/${fit}`;
}

function readAgain(path: string, wish: Extract<Wish, { kind: 'read' }>): Step {
  return { say: `It is ${code(path)}.`, calls: [{ name: 'read_file', args: { path, ...rangeOf(wish) } }] };
}

function elsewhere(work: Work, wish: Extract<Wish, { kind: 'read' }>, failed: DoneCall): Step {
  const { folder, name } = splitPath(wish.path);
  const listing = work.of('list_directory')[0];
  if (listing === undefined && work.tool('list_directory') !== undefined) {
    const call = { name: 'list_directory', args: { path: folder } };
    return { say: `${code(wish.path)} could not be read; I look for a file of that name.`, calls: [call] };
  }
  const meant = listing === undefined ? null : meantIn(listing, folder, name);
  if (meant !== null) return readAgain(meant, wish);
  const search = work.of('find_files')[0];
  if (search === undefined && work.tool('find_files') !== undefined) {
    return { say: '', calls: [{ name: 'find_files', args: { pattern: namePattern(name) } }] };
  }
  const paths = search === undefined || search.failed ? [] : foundPaths(search.content);
  const only = paths.length === 1 ? paths[0] : undefined;
  if (only !== undefined && only !== wish.path) return readAgain(only, wish);
  if (paths.length === 0) return notDone(failed, `read ${code(wish.path)}`);
  const list = paths.slice(0, 15).map((path) => `- ${code(path)}`);
  return say(
    `I found no ${code(wish.path)}. Files with a name like it:\n\n${list.join('\n')}\n\nSay \`read\` and one of them.`,
  );
}

/** The next step of reading a file. */
export function planRead(work: Work, wish: Extract<Wish, { kind: 'read' }>): Step {
  if (work.tool('read_file') === undefined) return notOffered('read_file', `read ${code(wish.path)}`);
  const reads = work.of('read_file');
  const good = reads.find((call) => !call.failed);
  if (good !== undefined) return shown(good);
  const [first, second] = reads;
  if (first === undefined) {
    return {
      say: `I read ${code(wish.path)}.`,
      calls: [{ name: 'read_file', args: { path: wish.path, ...rangeOf(wish) } }],
    };
  }
  if (second !== undefined) return notDone(second, `read ${code(String(second.args['path']))}`);
  const refused = /denied|switched off|not offered|outside|secret/i.test(first.content);
  if (refused) return notDone(first, `read ${code(wish.path)}`);
  return elsewhere(work, wish, first);
}

/** The next step of listing a folder. */
export function planList(work: Work, folder: string): Step {
  if (work.tool('list_directory') === undefined) return notOffered('list_directory', 'list files');
  const listing = work.of('list_directory')[0];
  if (listing === undefined) {
    return {
      say: `I list ${folder === '.' ? 'the project' : code(folder)}.`,
      calls: [{ name: 'list_directory', args: { path: folder } }],
    };
  }
  if (listing.failed) return notDone(listing, `list ${code(folder)}`);
  const entries = listedEntries(listing.content);
  const where = folder === '.' ? 'The project' : code(folder);
  if (entries.length === 0) return say(`${where} has no entries.`);
  const folders = entries.filter((entry) => entry.folder).length;
  const head = `${where} has ${counted(folders, 'folder')} and ${counted(entries.length - folders, 'file')}:`;
  return say(`${head}\n\n${block(firstLines(listing.content, MAX_SHOWN_LINES))}`);
}
