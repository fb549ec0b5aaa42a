// Opens an address outside: https and mailto only. The window has shown it in full and asked; this checks it once more,
// since what arrives here comes from a page.
import { shell } from 'electron';
import { AppError } from '../base/app-error.ts';

const MAX_CHARS = 8_192;
/** Control characters, blanks, and characters that change direction or do not show. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s\\]/u;

/** The address in the form to open, or undefined when it must not be. */
export function externalAddress(text: string): string | undefined {
  if (text.length > MAX_CHARS || DECEPTIVE.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol === 'mailto:') return /^mailto:[^/]/i.test(text) ? url.href : undefined;
  const isPlainWeb = url.protocol === 'https:' && /^https:\/\/[^/]/i.test(text);
  return isPlainWeb && url.hostname !== '' && url.username === '' && url.password === '' ? url.href : undefined;
}

/** Opens the address with the system's program for it. Codes: ipc.invalid-input (not to be opened), internal. */
export async function openExternal(text: string): Promise<void> {
  const address = externalAddress(text);
  if (address === undefined) {
    throw new AppError(
      'ipc.invalid-input',
      'Only plain https and mailto addresses are opened outside. Copy it instead.',
    );
  }
  try {
    await shell.openExternal(address);
  } catch (cause) {
    throw new AppError('config.invalid', 'This system opened no program for the address. Copy it instead.', { cause });
  }
}
