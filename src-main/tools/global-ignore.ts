// The person's global ignore file of git: the one their configuration names, else the usual place.
import fs from 'node:fs';
import path from 'node:path';
import { errnoOf } from './workspace/door-error.ts';

const MAX_BYTES = 256 * 1024;

function readSmall(file: string): string {
  try {
    return fs.statSync(file).size > MAX_BYTES ? '' : fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return '';
  }
}

/** Where that file is, below `home`; and the configuration that may say so. */
export function globalIgnoreFiles(home: string): { readonly config: string; readonly ignore: string } {
  const config = path.join(home, '.gitconfig');
  const named = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(readSmall(config))?.[1];
  const usual = path.join(home, '.config/git/ignore');
  return { config, ignore: named === undefined ? usual : named.replace(/^~(?=\/)/, () => home) };
}

/** The text of the global ignore file; empty when there is none. */
export function readGlobalIgnore(home: string): string {
  return path.isAbsolute(home) ? readSmall(globalIgnoreFiles(home).ignore) : '';
}
