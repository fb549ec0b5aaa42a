// For each folder of PATH that the fence does not show anyway: the folder of the installation that holds it, so that a
// program finds its own parts. Never the home folder itself, nor what lies beside installations in it.
import path from 'node:path';

const SHOWN = ['/usr', '/bin', '/sbin', '/lib', '/etc', '/opt', '/nix'];
const PROGRAM_FOLDERS = new Set(['bin', 'sbin', 'shims', '.bin']);

const isBelow = (folder: string, file: string): boolean => {
  const between = path.relative(folder, file);
  return between === '' || (between.split(path.sep)[0] !== '..' && !path.isAbsolute(between));
};

/** The folder to show for one PATH entry; several where an installation is spread. */
function rootsOf(entry: string, home: string): string[] {
  const parent = path.dirname(entry);
  if (!PROGRAM_FOLDERS.has(path.basename(entry))) return [entry];
  // ~/bin and ~/.local/bin stand beside everything else that a person keeps.
  if (parent === home || parent === '/' || isBelow(parent, home)) return [entry];
  if (parent === path.join(home, '.local')) return [entry, path.join(parent, 'lib')];
  if (path.basename(parent) === '.cargo') return [parent, path.join(path.dirname(parent), '.rustup')];
  return [parent];
}

/** The folders to show, absolute, each once. `folders` are those of PATH; `root` is the workspace, shown anyway. */
export function installRoots(folders: readonly string[], home: string, root: string): string[] {
  const wanted = folders
    .filter((entry) => !SHOWN.some((folder) => isBelow(folder, entry)) && !isBelow(root, entry))
    .flatMap((entry) => rootsOf(path.normalize(entry).replace(/(.)\/$/, '$1'), home))
    .filter((folder) => folder !== '/' && !isBelow(folder, home) && !isBelow(folder, root));
  return [...new Set(wanted)];
}
