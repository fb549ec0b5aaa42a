// "Summarise this project": looks at the folder, its README and its manifest, and tells what it read there, nothing else.
import { countLanguages } from './count-languages.ts';
import { notDone, notOffered } from './failures.ts';
import { code, counted } from './markdown.ts';
import { MANIFEST_FILES, readManifest, type Manifest } from './read-manifest.ts';
import { readPurpose } from './read-purpose.ts';
import { fileText, foundPaths, listedEntries, notesOf, type ListedEntry } from './tool-texts.ts';
import { say, type PlannedCall, type Step, type Work } from './work.ts';

const README = /^readme(?:\.(?:md|markdown|mdx|rst|txt|adoc))?$/i;
const MAX_FOLDERS = 12;
const MAX_SCRIPTS = 12;

function readmeOf(entries: readonly ListedEntry[]): string | null {
  const names = entries.filter((entry) => !entry.folder && README.test(entry.name)).map((entry) => entry.name);
  return names.find((name) => /\.m/i.test(name)) ?? names[0] ?? null;
}

function filesToRead(entries: readonly ListedEntry[]): string[] {
  const names = new Set(entries.filter((entry) => !entry.folder).map((entry) => entry.name));
  const manifest = MANIFEST_FILES.find((name) => names.has(name)) ?? null;
  return [readmeOf(entries), manifest].filter((name) => name !== null);
}

function firstStep(work: Work): Step {
  const calls: PlannedCall[] = [{ name: 'list_directory', args: { path: '.' } }];
  if (work.tool('find_files') !== undefined) calls.push({ name: 'find_files', args: { pattern: '**/*' } });
  return { say: 'I look at the files of this project first.', calls };
}

/** Folders of the project's top with the number of files found under each. */
function folderLines(entries: readonly ListedEntry[], paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const top = path.includes('/') ? (path.split('/')[0] ?? '') : '';
    if (top !== '') counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  const folders = entries.filter((entry) => entry.folder).map((entry) => entry.name);
  folders.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1));
  const lines = folders.slice(0, MAX_FOLDERS).map((name) => {
    const count = counts.get(name) ?? 0;
    return `- ${code(`${name}/`)}${count > 0 ? `: ${counted(count, 'file')}` : ''}`;
  });
  if (folders.length > MAX_FOLDERS) lines.push(`- and ${counted(folders.length - MAX_FOLDERS, 'more folder')}`);
  return lines;
}

function introduction(manifest: Manifest | null, readme: string, listed: readonly ListedEntry[]): string[] {
  const purpose = readPurpose(readme);
  const name = manifest?.name || purpose.title || 'This project';
  const version = manifest?.version ? `, version ${manifest.version}` : '';
  const kind =
    manifest === null ? 'has no package manifest that I know' : `is ${article(manifest.ecosystem)}${version}`;
  const lines = [
    `**${name.replace(/[*_`]/g, '')}** ${kind}, with ${counted(listed.length, 'entry').replace('entrys', 'entries')} at its top.`,
  ];
  const sentence = manifest?.description || purpose.sentence;
  if (sentence !== '') lines.push('', `In its own words: ${sentence}`);
  if (manifest?.description && purpose.sentence && purpose.sentence !== manifest.description) {
    lines.push('', `Its README begins: ${purpose.sentence}`);
  }
  return lines;
}

function article(noun: string): string {
  return `${/^[aeio]|^npm/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

function manifestLines(manifest: Manifest): string[] {
  const lines: string[] = [];
  if (manifest.scripts.length > 0) {
    lines.push('', `**Scripts** (${code(manifest.file)})`, '');
    for (const [name, command] of manifest.scripts.slice(0, MAX_SCRIPTS)) {
      lines.push(`- ${code(name)}${command === '' ? '' : `: ${code(command.slice(0, 160))}`}`);
    }
    const more = manifest.scripts.length - MAX_SCRIPTS;
    if (more > 0) lines.push(`- and ${more} more`);
  }
  if (manifest.dependencies.length > 0) {
    const names = manifest.dependencies.slice(0, 10).map(code).join(', ');
    const more = manifest.dependencies.length > 10 ? ', …' : '';
    lines.push('', `**Depends on** ${counted(manifest.dependencies.length, 'package')} at run time: ${names}${more}`);
  }
  return lines;
}

function languageLines(paths: readonly string[], notes: string): string[] {
  const languages = countLanguages(paths).slice(0, 6);
  if (languages.length === 0) return [];
  const told = languages.map(([name, count]) => `${name} (${count})`).join(', ');
  const partial = !/\bfirst\b/i.test(notes) ? '' : ` This counts the first ${counted(paths.length, 'file')} only.`;
  return ['', `**Languages** by files: ${told}.${partial}`];
}

function summary(work: Work, listed: readonly ListedEntry[]): Step {
  const found = work.of('find_files')[0];
  const top = listed.filter((entry) => !entry.folder).map((entry) => entry.name);
  const paths = found === undefined || found.failed ? top : foundPaths(found.content);
  const reads = new Map(work.of('read_file').map((call) => [String(call.args['path']), call]));
  const textOf = (name: string): string => {
    const call = reads.get(name);
    return call === undefined || call.failed ? '' : fileText(call.content);
  };
  const readme = readmeOf(listed);
  const file = MANIFEST_FILES.find((name) => reads.has(name) && textOf(name) !== '');
  const manifest = file === undefined ? null : readManifest(file, textOf(file));
  const lines = introduction(manifest, readme === null ? '' : textOf(readme), listed);
  const folders = folderLines(listed, paths);
  if (folders.length > 0) lines.push('', '**Folders**', '', ...folders);
  lines.push(...languageLines(paths, found === undefined ? '' : notesOf(found.content)));
  if (manifest !== null) lines.push(...manifestLines(manifest));
  const unread = [...reads].filter(([, call]) => call.failed).map(([name]) => code(name));
  if (unread.length > 0) lines.push('', `I could not read ${unread.join(' and ')}, so what they say is missing here.`);
  return say(lines.join('\n'));
}

/** The next step of a summary. */
export function planSummary(work: Work): Step {
  if (work.tool('list_directory') === undefined) return notOffered('list_directory', 'look at the project');
  const listing = work.of('list_directory')[0];
  if (listing === undefined) return firstStep(work);
  if (listing.failed) return notDone(listing, 'look at the project');
  const entries = listedEntries(listing.content);
  const files = filesToRead(entries);
  if (files.length > 0 && work.of('read_file').length === 0 && work.tool('read_file') !== undefined) {
    const calls = files.map((path) => ({ name: 'read_file', args: { path, limit: 400 } }));
    return { say: `Now I read ${files.map(code).join(' and ')}.`, calls };
  }
  return summary(work, entries);
}
