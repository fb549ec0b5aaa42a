// What in git's own folders decides which programs git starts: configuration, hooks, and where it looks for them. A fence keeps
// it as it is, since git is run later outside of the fence. The rest of such a folder is git's to write. Looks by path, and
// follows no link.
import fs from 'node:fs';
import path from 'node:path';
import { errnoOf } from './workspace/door-error.ts';

const FILES = ['config', 'config.worktree', 'commondir', 'info/attributes'];
/** Files that a fence cannot hold the place of: git fails on an empty one. */
const NEVER_NEW = ['config.worktree', 'commondir'];
/** More folders of submodules and worktrees than these are not looked into. */
const MAX_FOLDERS = 500;

/** Absolute paths. */
export interface GitControl {
  /** They are there and stay as they are. */
  readonly readOnly: readonly string[];
  /** Folders that are not there and stay empty. */
  readonly sealed: readonly string[];
  /** Files that are not there; what makes one of them is undone. */
  readonly absent: readonly string[];
}

export function kindOf(file: string): 'file' | 'folder' | 'none' {
  try {
    const stat = fs.lstatSync(file);
    return stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'none' : 'file';
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return 'none';
  }
}

function foldersIn(folder: string): string[] {
  if (kindOf(folder) !== 'folder') return [];
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(folder, name));
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return [];
  }
}

/** A repository's own folder, those of its worktrees and, whatever their names, those of its submodules. */
export function gitFolders(top: string): string[] {
  const out: string[] = [];
  const left = [top];
  for (let folder = left.pop(); folder !== undefined && out.length < MAX_FOLDERS; folder = left.pop()) {
    // By what a command cannot take away: otherwise one could hide a folder from the next fence.
    const isOwn = folder === top || kindOf(path.join(folder, 'config')) === 'file';
    if (isOwn) out.push(folder, ...foldersIn(path.join(folder, 'worktrees')));
    left.push(...foldersIn(isOwn ? path.join(folder, 'modules') : folder));
  }
  return out;
}

/** What decides for the repositories whose `.git` these are. A `.git` that is a file says where the folder is. */
export function gitControl(gits: readonly string[]): GitControl {
  const readOnly: string[] = [];
  const sealed: string[] = [];
  const absent: string[] = [];
  for (const git of gits) {
    if (kindOf(git) === 'file') readOnly.push(git);
    if (kindOf(git) !== 'folder') continue;
    for (const folder of gitFolders(git)) {
      const hooks = path.join(folder, 'hooks');
      if (kindOf(hooks) === 'folder') readOnly.push(hooks);
      else if (folder === git) sealed.push(hooks);
      for (const name of FILES) {
        const file = path.join(folder, name);
        if (kindOf(file) === 'file') readOnly.push(file);
        else if (NEVER_NEW.includes(name)) absent.push(file);
      }
    }
  }
  return { readOnly, sealed, absent };
}

/** Takes away which of these files are there; gives them. */
export function removeMade(absent: readonly string[]): string[] {
  return absent.filter((file) => {
    try {
      fs.unlinkSync(file);
      return true;
    } catch (error) {
      // It is not there, which is as it should be, or a folder, which git takes for nothing.
      if (errnoOf(error) === '') throw error;
      return false;
    }
  });
}
