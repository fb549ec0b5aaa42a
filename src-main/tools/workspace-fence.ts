// The fence of one command in the workspace: which files stay read-only (protected) and which are not to be seen (likely
// secrets), as they are on disk right now. What cannot be fenced is held back afterwards: see hold-back.ts.
import fs from 'node:fs';
import path from 'node:path';
import { gitControl } from './git-control.ts';
import { gitState } from './git-plants.ts';
import type { Before } from './hold-back.ts';
import { searchFolders } from './process/child-environment.ts';
import { installRoots } from './process/install-roots.ts';
import type { Fence } from './process/process-confiner.ts';
import { lookForSensitive } from './sensitive-names.ts';
import type { BuiltinToolSettings, PathJudge } from './tool-settings.ts';
import { errnoOf } from './workspace/door-error.ts';

/** The fence of a command, and what was there before it: see holdBack. */
export interface WorkspaceFence extends Fence {
  readonly before: Before;
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
  const names = await lookForSensitive(settings, options.signal);
  const readable = installRoots(searchFolders(settings.process.path), home, root);
  const inRoot = (file: string): string => path.join(root, file);
  const git = gitControl(names.gits.map(inRoot));
  return {
    root,
    rootDescriptor: workspace.rootDescriptor,
    writable: true,
    network: options.network,
    home,
    readable,
    readOnly: [...git.readOnly, ...names.protected.map(inRoot)],
    sealed: git.sealed,
    before: { names, absent: git.absent, git: gitState(names.gits.map(inRoot)) },
    hidden: [...names.secrets.map(inRoot), ...secretsAtTop(readable, settings.paths)],
  };
}
