// Which paths decide what runs later on this machine or what Warrant itself may do: writing them always asks. Pure.
// Compared as secrets are: in any letter case, any component, whether or not the file exists yet.
import { comparableNames } from './secret-paths.ts';

/** Names that are protected wherever they stand in a path. */
export const PROTECTED_NAMES: readonly string[] = [
  '.git',
  '.warrant.json',
  '.vscode',
  '.idea',
  '.envrc',
  '.husky',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
];

const names = new Set(PROTECTED_NAMES);

/** Whether a write at this path (relative to the workspace, or absolute) is to a protected one. */
export function isProtectedPath(path: string): boolean {
  const parts = comparableNames(path);
  return (
    parts.some((part) => names.has(part)) ||
    parts.some((part, index) => part === '.github' && parts[index + 1] === 'workflows') ||
    parts.some((part, index) => part === '.config' && parts[index + 1] === 'fish')
  );
}
