// The fence of one command in the workspace: which files stay read-only (protected) and which are not to be seen (likely
// secrets), as they are on disk right now. One walk finds both.
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../base/app-error.ts';
import { gitControl } from './git-control.ts';
import { searchFolders } from './process/child-environment.ts';
import { installRoots } from './process/install-roots.ts';
import type { Fence } from './process/process-confiner.ts';
import type { BuiltinToolSettings, PathJudge } from './tool-settings.ts';
import { errnoOf } from './workspace/door-error.ts';

/** Files looked at before a command; a larger tree is not fenced, because a secret in it could be missed. */
const MAX_FILES = 200_000;
const SKIPPED = ['node_modules'];

/** The shortest start of a path that a judge speaks of: the folder that is secret, not each file in it. */
function shortest(file: string, judge: (file: string) => boolean): string {
  const names = file.split('/');
  for (let count = 1; count < names.length; count++) {
    const start = names.slice(0, count).join('/');
    if (judge(start)) return start;
  }
  return file;
}

interface Sensitive {
  readonly hidden: readonly string[];
  readonly readOnly: readonly string[];
  /** Each `.git`. */
  readonly gits: readonly string[];
}

/** The fence of a command, and files that it must not leave behind: see removeMade. */
export interface WorkspaceFence extends Fence {
  readonly absent: readonly string[];
}

/** Secret and protected paths in the workspace, relative. */
async function findSensitive(settings: BuiltinToolSettings, signal: AbortSignal): Promise<Sensitive> {
  const { workspace, paths } = settings;
  const hidden = new Set<string>();
  const readOnly = new Set<string>();
  const gits: string[] = [];
  let files = 0;
  const found = (batch: readonly string[]): boolean => {
    files += batch.length;
    for (const file of batch) {
      if (path.posix.basename(file) === '.git') gits.push(file);
      else if (paths.isSecret(file)) hidden.add(shortest(file, (start) => paths.isSecret(start)));
      else if (paths.isProtected(file)) readOnly.add(shortest(file, (start) => paths.isProtected(start)));
    }
    return files < MAX_FILES;
  };
  const options = { globalRules: '', includeIgnored: true, skipFolders: SKIPPED, repositories: true };
  const report = await workspace.walk(workspace.parse('.'), options, { signal, found });
  if (signal.aborted) throw new AppError('cancelled', 'It was stopped before it started.');
  if (report.stopped) {
    throw new AppError(
      'process.confinement-failed',
      `The workspace has more than ${MAX_FILES} files, too many to look for secrets before a command. Ask for unconfined.`,
    );
  }
  return { hidden: [...hidden], readOnly: [...readOnly], gits };
}

/** Likely secrets that lie at the top of a shown installation, such as a package manager's token. */
function secretsAtTop(folders: readonly string[], paths: PathJudge): string[] {
  return folders.flatMap((folder) => {
    try {
      return fs
        .readdirSync(folder)
        .filter((name) => paths.isSecret(name))
        .map((name) => path.join(folder, name));
    } catch (error) {
      if (errnoOf(error) === '') throw error;
      return [];
    }
  });
}

/** The fence for a command. process.confinement-failed when secrets cannot be found and hidden. */
export async function workspaceFence(
  settings: BuiltinToolSettings,
  options: { network: boolean; signal: AbortSignal },
): Promise<WorkspaceFence> {
  const { workspace } = settings;
  const { home } = settings.process;
  const root = workspace.identity.path;
  const sensitive = await findSensitive(settings, options.signal);
  const readable = installRoots(searchFolders(settings.process.path), home, root);
  const inRoot = (file: string): string => path.join(root, file);
  const git = gitControl(sensitive.gits.map(inRoot));
  return {
    root,
    rootDescriptor: workspace.rootDescriptor,
    writable: true,
    network: options.network,
    home,
    readable,
    readOnly: [...git.readOnly, ...sensitive.readOnly.map(inRoot)],
    sealed: git.sealed,
    absent: git.absent,
    hidden: [...sensitive.hidden.map(inRoot), ...secretsAtTop(readable, settings.paths)],
  };
}
