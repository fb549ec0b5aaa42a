// Projects: folders that the person opened. Finds out what is wrong with a folder in words, lists folders for the
// window's own chooser, and completes file names.
import { access, constants, readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { AppError } from '../base/app-error.ts';
import type { FolderListing } from '../contract/api.ts';
import type { Project } from '../contract/project.ts';
import type { ProjectId } from '../contract/ids.ts';
import type { ProjectRow, Store } from '../store/store.ts';

const LISTED_FOLDERS = 500;
const COMPLETIONS = 50;

/** The path with the home folder as ~. */
export function shownPath(full: string): string {
  const home = homedir();
  if (full === home) return '~';
  return full.startsWith(home + path.sep) ? `~${full.slice(home.length)}` : full;
}

/** A folder's canonical path and identity. Codes project.not-found, project.not-a-folder, project.no-permission. */
export async function inspectFolder(given: string): Promise<{ path: string; dev: string; ino: string }> {
  const absolute = path.resolve(given.startsWith('~/') ? path.join(homedir(), given.slice(2)) : given);
  try {
    const real = await realpath(absolute);
    const info = await stat(real, { bigint: true });
    if (!info.isDirectory()) {
      throw new AppError('project.not-a-folder', `${shownPath(absolute)} is a file. Pick the folder that holds it.`);
    }
    await access(real, constants.R_OK | constants.X_OK);
    return { path: real, dev: String(info.dev), ino: String(info.ino) };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    if (code === 'EACCES' || code === 'EPERM') {
      throw new AppError(
        'project.no-permission',
        `You may not read ${shownPath(absolute)}. Change its permissions, or pick another folder.`,
        { cause },
      );
    }
    if (code === 'ELOOP') {
      throw new AppError(
        'project.not-found',
        `The links of ${shownPath(absolute)} go round in a circle. Pick another folder.`,
        { cause },
      );
    }
    throw new AppError(
      'project.not-found',
      `There is no folder ${shownPath(absolute)}. It may have been moved or deleted.`,
      { cause },
    );
  }
}

export class ProjectsService {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Opens a folder: the same folder under another name is the same project. */
  async open(given: string): Promise<Project> {
    const folder = await inspectFolder(given);
    const row = await this.#store.openProject({ ...folder, nowMs: Date.now() });
    return toProject(row, true);
  }

  /**
   * Says where a project's folder is now. Chats of a project that was made of that folder come to it, and `onMerged` is
   * told of such. Codes as `open`.
   */
  async relink(id: ProjectId, given: string, onMerged: (merged: ProjectId[]) => Promise<void>): Promise<Project> {
    const folder = await inspectFolder(given);
    const { project, merged } = await this.#store.relinkProject({ ...folder, id, nowMs: Date.now() });
    if (merged.length > 0) await onMerged(merged);
    return toProject(project, true);
  }

  /** Newest first, each with whether its folder is there now. */
  async list(): Promise<Project[]> {
    const rows = (await this.#store.listProjects()).filter((row) => !row.hidden);
    return Promise.all(rows.map(async (row) => toProject(row, await isPresent(row))));
  }

  /** Code project.not-found. */
  async get(id: ProjectId): Promise<Project> {
    const row = await this.#store.getProject(id);
    if (!row) throw new AppError('project.not-found', 'This project is not known any more. Open its folder again.');
    return toProject(row, await isPresent(row));
  }

  async forget(id: ProjectId): Promise<void> {
    await this.#store.hideProject(id);
  }

  /** Folders below a path, by name; hidden ones last. Codes as `open`. */
  async listFolders(given: string | undefined): Promise<FolderListing> {
    const folder = (await inspectFolder(given ?? homedir())).path;
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    names.sort((a, b) => Number(a.startsWith('.')) - Number(b.startsWith('.')) || a.localeCompare(b));
    const parent = path.dirname(folder);
    const folders = await Promise.all(
      names.slice(0, LISTED_FOLDERS).map(async (name) => {
        const full = path.join(folder, name);
        return { name, path: full, project: await isRepository(full) };
      }),
    );
    return {
      path: folder,
      parent: parent === folder ? null : parent,
      folders,
      truncated: names.length > LISTED_FOLDERS,
    };
  }
}

async function isRepository(folder: string): Promise<boolean> {
  try {
    await access(path.join(folder, '.git'));
    return true;
  } catch {
    return false;
  }
}

async function isPresent(row: ProjectRow): Promise<boolean> {
  try {
    await access(row.path, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function toProject(row: ProjectRow, present: boolean): Project {
  return {
    id: row.id,
    path: row.path,
    name: path.basename(row.path) || row.path,
    shownPath: shownPath(row.path),
    lastOpenedAtMs: row.lastOpenedAtMs,
    present,
  };
}

/** Paths of a listing that match what follows an `@`: best first. A path matches when it has the letters in order. */
export function rankPaths(paths: readonly string[], query: string): string[] {
  const wanted = query.toLowerCase();
  const scored = paths.flatMap((candidate) => {
    const score = matchScore(candidate.toLowerCase(), wanted);
    return score === null ? [] : [{ candidate, score }];
  });
  scored.sort(
    (a, b) => a.score - b.score || a.candidate.length - b.candidate.length || a.candidate.localeCompare(b.candidate),
  );
  return scored.slice(0, COMPLETIONS).map((found) => found.candidate);
}

function matchScore(candidate: string, wanted: string): number | null {
  if (wanted === '') return candidate.split('/').length;
  const base = candidate.slice(candidate.lastIndexOf('/') + 1);
  if (base.startsWith(wanted)) return 0;
  if (base.includes(wanted)) return 1;
  if (candidate.includes(wanted)) return 2;
  let at = -1;
  for (const letter of wanted) {
    at = candidate.indexOf(letter, at + 1);
    if (at < 0) return null;
  }
  return 3;
}
