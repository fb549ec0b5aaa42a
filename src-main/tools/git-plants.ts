// What a fenced command can leave in a repository so that git runs programs later, outside of the fence: lines of a stopped
// rebase, and whole repositories (or submodules, worktrees) whose configuration or hooks start something. Git itself makes
// most of these files, so they are not forbidden: they are looked at afterwards. Follows no link.
import fs from 'node:fs';
import path from 'node:path';
import { gitFolders, kindOf } from './git-control.ts';
import { errnoOf } from './workspace/door-error.ts';

const MAX_BYTES = 1024 * 1024;

/** What there is by which git runs programs. Absolute paths. */
export interface GitState {
  readonly gits: ReadonlySet<string>;
  /** Configurations and hooks that start something. */
  readonly starting: ReadonlySet<string>;
  /** Lines of stopped jobs that run something, by file. */
  readonly running: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Text of a regular file; null = it is none, or it is not there. What is too large or not readable is `unclear`. */
function textOf(file: string): string | null {
  const kind = kindOf(file);
  if (kind === 'folder') return null;
  try {
    if (kind === 'none') return fs.lstatSync(file, { throwIfNoEntry: false }) === undefined ? null : 'unclear';
    return fs.statSync(file).size > MAX_BYTES ? 'unclear' : fs.readFileSync(file, 'latin1');
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return 'unclear';
  }
}

const TODO_LINE =
  /^\s*(?:#.*|;.*|(?:pick|p|reword|r|edit|e|squash|s|fixup|f|drop|d|label|l|reset|t|merge|m|update-ref|u|revert)(?:\s.*)?|(?:break|b|noop)\s*)?$/;
const AUTHOR_LINE = /^(?:GIT_AUTHOR_(?:NAME|EMAIL|DATE)='(?:[^']|'\\['!]')*')?$/;
const STRATEGY_LINE = /^\s*(?:ort|recursive|resolve|octopus|ours|subtree)?\s*$/;
const OPTION_LINE =
  /^\s*(?:\[options\]|(?!strategy\b|gpg)[\w-]+\s*=.*|strategy\s*=\s*(?:ort|recursive|resolve|ours)\s*|[#;].*)?$/;

/** Files of a stopped job, and which of their lines run nothing. */
const STATE_FILES: readonly (readonly [string, RegExp])[] = [
  ['rebase-merge/git-rebase-todo', TODO_LINE],
  ['rebase-merge/git-rebase-todo.backup', TODO_LINE],
  ['rebase-merge/author-script', AUTHOR_LINE],
  ['rebase-merge/strategy', STRATEGY_LINE],
  ['rebase-apply/author-script', AUTHOR_LINE],
  ['sequencer/todo', TODO_LINE],
  ['sequencer/opts', OPTION_LINE],
];

function runningLines(file: string, harmless: RegExp): Set<string> {
  const text = textOf(file);
  return new Set(text === null ? [] : text.split('\n').filter((line) => !harmless.test(line)));
}

/** Every folder of git behind these `.git` (folders, or files that name one) and bare repositories. */
function foldersOf(gits: readonly string[]): Set<string> {
  return new Set(gits.flatMap((git) => (kindOf(git) === 'folder' ? gitFolders(git) : [])));
}

function runningIn(folders: ReadonlySet<string>): Map<string, ReadonlySet<string>> {
  const out = new Map<string, ReadonlySet<string>>();
  for (const folder of folders) {
    for (const [name, harmless] of STATE_FILES) {
      const lines = runningLines(path.join(folder, name), harmless);
      if (lines.size > 0) out.set(path.join(folder, name), lines);
    }
  }
  return out;
}

const SECTION = /^\s*\[([a-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]\s*$/i;
const SETTING = /^\s*([a-z][a-z0-9-]*)\s*(?:=(.*))?$/i;
/** Settings that git writes itself and that start nothing. */
const NEUTRAL = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|worktree|autocrlf|eol|sparsecheckout|sparsecheckoutcone|quotepath)$/,
  /^(init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote)|gc\.auto|user\.(name|email)|fetch\.prune)$/,
  /^remote\.(url|pushurl|fetch|tagopt|prune|promisor|partialclonefilter)$/,
  /^branch\.(remote|merge|rebase|description)$/,
  /^submodule\.(url|active|branch|path)$/,
  /^extensions\.(objectformat|partialclone|refstorage|compatobjectformat|relativeworktrees)$/,
];

/** Whether a configuration has only settings that start nothing. */
export function isNeutralConfig(text: string): boolean {
  let section = '';
  return text.split(/\r?\n/).every((line) => {
    if (/^\s*([#;].*)?$/.test(line)) return true;
    if (line.endsWith('\\')) return false;
    const head = SECTION.exec(line);
    if (head !== null) section = (head[1] ?? '').toLowerCase();
    if (head !== null) return true;
    const key = SETTING.exec(line)?.[1]?.toLowerCase();
    return key !== undefined && NEUTRAL.some((pattern) => pattern.test(`${section}.${key}`));
  });
}

function hooksIn(folder: string): string[] {
  const hooks = path.join(folder, 'hooks');
  const kind = kindOf(hooks);
  if (kind !== 'folder') return fs.lstatSync(hooks, { throwIfNoEntry: false }) === undefined ? [] : [hooks];
  try {
    return fs.readdirSync(hooks).every((name) => name.endsWith('.sample')) ? [] : [hooks];
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return [hooks];
  }
}

/** What in a folder of git starts something. `folders` are those of git that are looked at. */
function startingIn(folder: string, folders: ReadonlySet<string>): string[] {
  const configs = ['config', 'config.worktree'].map((name) => path.join(folder, name));
  const common = path.join(folder, 'commondir');
  const shared = textOf(common)?.trim() ?? null;
  return [
    ...configs.filter((file) => !isNeutralConfig(textOf(file) ?? '')),
    ...(shared === null || folders.has(path.resolve(folder, shared)) ? [] : [common]),
    ...hooksIn(folder),
  ];
}

/** The folder that a `.git` file names. */
function namedBy(git: string): string | null {
  const target = /^gitdir: ([^\n]+)\n?$/.exec(textOf(git) ?? '')?.[1];
  return target === undefined ? null : path.resolve(path.dirname(git), target);
}

/** A new `.git` that is no folder: a link, or a file that names a folder which nobody has looked at. */
function oddGits(gits: readonly string[], folders: ReadonlySet<string>): string[] {
  return gits.filter((git) => kindOf(git) !== 'folder' && !folders.has(namedBy(git) ?? ''));
}

/** The state of these `.git` (folders, or files that name one) and bare repositories. */
export function gitState(gits: readonly string[]): GitState {
  const folders = foldersOf(gits);
  const starting = new Set([...folders].flatMap((folder) => startingIn(folder, folders)));
  return { gits: new Set(gits), starting, running: runningIn(folders) };
}

/** By what of the things that are there now git would run a program that it would not have run before. Absolute paths. */
export function plantedSince(gits: readonly string[], before: GitState): string[] {
  const now = gitState(gits);
  const added = gits.filter((git) => !before.gits.has(git));
  const running = [...now.running].flatMap(([file, lines]) => {
    const were = before.running.get(file);
    return [...lines].every((line) => were?.has(line) === true) ? [] : [file];
  });
  return [
    ...[...now.starting].filter((file) => !before.starting.has(file)),
    ...running,
    ...oddGits(added, foldersOf(gits)),
  ];
}
