// From the text of a path to components that the door can walk. Pure: looks at nothing on disk. Refuses what has two
// meanings (`..`, NUL, names that Windows reads differently) rather than repairing it.
import { AppError } from '../../base/app-error.ts';
import type { DoorPath } from './workspace-door.ts';

/** The spellings of the root that a path may start with, and the platform whose rules hold. */
export interface PathRules {
  /** Absolute paths of the root: the canonical one, and the one it was opened by. */
  readonly roots: readonly string[];
  readonly platform: NodeJS.Platform;
}

function invalid(text: string, why: string): AppError {
  return new AppError('workspace.invalid-path', `The path ${JSON.stringify(text)} is refused: ${why}`, {
    details: { path: text },
  });
}

const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/** Why Windows would read this name as another one; null when it would not. */
function windowsTrouble(name: string): string | null {
  if (name.includes(':')) return 'a colon names a stream or a drive. Use a plain name.';
  if (/~\d/.test(name)) return 'it looks like a short (8.3) name. Use the full name.';
  if (/[. ]$/.test(name)) return 'a name cannot end with a dot or a space on Windows.';
  if (reserved.test(name)) return 'it is a device name on Windows.';
  return null;
}

function components(text: string, rest: string, windows: boolean): string[] {
  const parts = rest.split(windows ? /[/\\]/ : '/').filter((part) => part !== '' && part !== '.');
  for (const part of parts) {
    if (part === '..') {
      throw invalid(text, '`..` is not used here. Give the path from the workspace root, or an absolute path.');
    }
    if (Buffer.byteLength(part) > 255) throw invalid(text, 'a name in it is longer than 255 bytes.');
    const trouble = windows ? windowsTrouble(part) : null;
    if (trouble !== null) throw invalid(text, trouble);
  }
  return parts;
}

const startsWith = (parts: readonly string[], prefix: readonly string[]): boolean =>
  prefix.length <= parts.length && prefix.every((part, index) => part === parts[index]);

/** Drive and rest of a Windows path; on other systems the drive is empty. */
function splitDrive(text: string, windows: boolean): { drive: string; rest: string } {
  const match = windows ? /^([A-Za-z]:)?(.*)$/s.exec(text) : null;
  return { drive: (match?.[1] ?? '').toUpperCase(), rest: match?.[2] ?? text };
}

/**
 * Reads a path as a model or a person wrote it: relative to the root, or absolute (then taken as inside when it starts
 * with the root, component by component). workspace.invalid-path says what to use instead.
 */
export function parseDoorPath(text: string, rules: PathRules): DoorPath {
  const windows = rules.platform === 'win32';
  if (text === '') throw invalid(text, 'it is empty. Use `.` for the workspace itself.');
  if (text.includes('\0') || !text.isWellFormed())
    throw invalid(text, 'it has a character that no file name can have.');
  if (Buffer.byteLength(text) > 4096) throw invalid(text.slice(0, 100), 'it is longer than 4,096 bytes.');
  if (windows && /^[/\\]{2}/.test(text))
    throw invalid(text, 'network and device paths are not used. Use a drive path.');
  if (text === '~' || text.startsWith('~/')) throw invalid(text, '`~` is not expanded. Give the absolute path.');
  const { drive, rest } = splitDrive(text, windows);
  const absolute = windows ? drive !== '' || /^[/\\]/.test(rest) : rest.startsWith('/');
  const parts = components(text, rest, windows);
  if (!absolute) return inside(parts);
  if (windows && !/^[/\\]/.test(rest)) throw invalid(text, 'a drive needs a full path behind it, such as C:\\folder.');
  for (const root of rules.roots) {
    const own = splitDrive(root, windows);
    const ownParts = components(root, own.rest, windows);
    if (own.drive === drive && startsWith(parts, ownParts)) return inside(parts.slice(ownParts.length));
  }
  return outside(windows ? [drive, ...parts] : parts, windows);
}

function inside(parts: readonly string[]): DoorPath {
  return { base: 'root', parts, shown: parts.length === 0 ? '.' : parts.join('/') };
}

function outside(parts: readonly string[], windows: boolean): DoorPath {
  return { base: 'filesystem', parts, shown: windows ? parts.join('\\') : `/${parts.join('/')}` };
}

/** The path of `name` in the folder `path`. `name` must be one component as a door listed it. */
export function childPath(path: DoorPath, name: string): DoorPath {
  const parts = [...path.parts, name];
  const shown = path.parts.length === 0 ? (path.base === 'root' ? name : `/${name}`) : `${path.shown}/${name}`;
  return { base: path.base, parts, shown };
}
