// "Find X": hits in the text of files with file and line, and files whose name has it.
import { notDone, notOffered } from './failures.ts';
import { namePattern } from './name-pattern.ts';
import { block, code, counted, firstLines } from './markdown.ts';
import { foundPaths, notesOf } from './tool-texts.ts';
import { say, type PlannedCall, type Step, type Work } from './work.ts';

const MAX_HITS = 40;
const MAX_FILES = 20;

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Whether files are looked for by name as well: only where the query could be a name. */
function couldBeName(query: string): boolean {
  return /^[\w.@-]{3,60}$/.test(query);
}

function searchCalls(work: Work, query: string, folder: string | null): PlannedCall[] {
  const place = folder === null ? {} : { path: folder };
  const caseless = query === query.toLowerCase() && work.takes('grep', 'ignore_case') ? { ignore_case: true } : {};
  const calls: PlannedCall[] = [{ name: 'grep', args: { pattern: escapePattern(query), ...place, ...caseless } }];
  if (couldBeName(query) && work.tool('find_files') !== undefined) {
    calls.push({ name: 'find_files', args: { pattern: namePattern(query), ...place } });
  }
  return calls;
}

const HIT = /^(.+?):(\d+)[:-]/;

function hitReport(query: string, content: string): string {
  const hits = content.split('\n').filter((line) => HIT.test(line));
  if (hits.length === 0) return `No line has ${code(query)}.`;
  const files = new Set(hits.map((line) => HIT.exec(line)?.[1])).size;
  const notes = notesOf(content);
  const head = `${code(query)} is in ${counted(hits.length, 'line')} of ${counted(files, 'file')}${/\bmore\b/i.test(notes) ? ', and there are more' : ''}:`;
  return `${head}\n\n${block(firstLines(hits.join('\n'), MAX_HITS))}`;
}

function nameReport(name: string, paths: readonly string[], notes: string): string {
  if (paths.length === 0) return `No file has a name like ${code(name)}.`;
  const list = paths.slice(0, MAX_FILES).map((path) => `- ${code(path)}`);
  if (paths.length > MAX_FILES) list.push(`- and ${paths.length - MAX_FILES} more`);
  const more = /\bfirst\b/i.test(notes) ? '\n\nThere are more; a longer name narrows it.' : '';
  return `${counted(paths.length, 'file')} with a name like ${code(name)}:\n\n${list.join('\n')}${more}`;
}

/** The next step of a search in texts. */
export function planSearch(work: Work, query: string, folder: string | null): Step {
  if (work.tool('grep') === undefined) return notOffered('grep', `search for ${code(query)}`);
  const search = work.of('grep')[0];
  const where = folder === null ? '' : ` in ${code(folder)}`;
  if (search === undefined)
    return { say: `I search for ${code(query)}${where}.`, calls: searchCalls(work, query, folder) };
  if (search.failed) return notDone(search, `search for ${code(query)}`);
  const names = work.of('find_files')[0];
  const paths = names === undefined || names.failed ? [] : foundPaths(names.content);
  const byName = paths.length === 0 ? '' : `\n\n${nameReport(query, paths, notesOf(names?.content ?? ''))}`;
  return say(hitReport(query, search.content) + byName);
}

/** The next step of a search for files by name. */
export function planFindFiles(work: Work, name: string, folder: string | null): Step {
  if (work.tool('find_files') === undefined) return notOffered('find_files', `find ${code(name)}`);
  const search = work.of('find_files')[0];
  if (search === undefined) {
    const place = folder === null ? {} : { path: folder };
    return {
      say: `I look for files named like ${code(name)}.`,
      calls: [{ name: 'find_files', args: { pattern: namePattern(name), ...place } }],
    };
  }
  if (search.failed) return notDone(search, `find ${code(name)}`);
  return say(nameReport(name, foundPaths(search.content), notesOf(search.content)));
}
