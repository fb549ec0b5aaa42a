// Builtins that change what later words of the same line mean, or that run what a word holds. A rule with an open end does
// not allow them with such words; a rule on their exact words does. Pure.
import { baseName } from './launched-commands.ts';
import type { ReadWord } from './read-command.ts';

const CHANGES_MEANING = new Set([
  ...['alias', 'unalias', 'enable', 'hash', 'shopt', 'let', 'declare', 'typeset', 'local', 'mapfile', 'readarray'],
  ...['compgen', 'complete', 'compopt', 'fc', 'bind', 'history'],
]);
const NAMES_VARIABLES = new Set(['export', 'readonly', 'read', 'unset', 'getopts']);
const SET_OPTION = /^[-+][euxfnvCbE]*o?$/;
const SET_NAMES = new Set(['pipefail', 'errexit', 'nounset', 'xtrace', 'verbose', 'noglob', 'noclobber', 'posix']);
const BINARY = new Set(['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot', '-ef']);
const UNARY = /^-[abcdefghkLnoOGNprsStuwxz]$/;
/** Lower-case names that programs or shells give a meaning. */
const SPECIAL_NAMES = new Set(['path', 'cdpath', 'fpath', 'manpath', 'prompt', 'histchars', 'auto_resume', 'argv']);

/** Whether a variable of this name is the line's own: programs and shells take their settings from others. */
export function isOwnVariable(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) && name !== '_' && !name.endsWith('_proxy') && !SPECIAL_NAMES.has(name);
}

/** `[ A = B ]` and `[ -f A ]`, alone or negated; with other shapes a word that is not known may name a variable to evaluate. */
function isPlainTest(words: readonly ReadWord[]): boolean {
  const inner = words[0]?.value === '[' ? words.slice(1, -1) : words.slice(1);
  const asked = inner[0]?.value === '!' ? inner.slice(1) : inner;
  const [first, second] = asked;
  if (asked.every(({ value }) => value !== null && value !== '-v' && value !== '-R')) return true;
  if (asked.some(({ single }) => !single)) return false;
  if (asked.length === 3) return BINARY.has(second?.value ?? '');
  return asked.length === 2 ? UNARY.test(first?.value ?? '') : asked.length === 1;
}

function isPlainSet(args: readonly ReadWord[]): boolean {
  return args.every(({ value }, index) => {
    if (value === null) return false;
    return index > 0 && args[index - 1]?.value?.endsWith('o') === true ? SET_NAMES.has(value) : SET_OPTION.test(value);
  });
}

function isPlainNaming(args: readonly ReadWord[]): boolean {
  return args.every(
    ({ value }) => value !== null && (/^-[a-zA-Z]+$|^\d+$/.test(value) || isOwnVariable(value.replace(/=.*$/s, ''))),
  );
}

function isPlainPrint([first]: readonly ReadWord[]): boolean {
  return first === undefined || first.value === '--' || (first.value !== null && !first.value.startsWith('-'));
}

function isPlainWait(args: readonly ReadWord[]): boolean {
  return args.every(({ value, text }) => text === '$!' || (value !== null && /^(%?\d+|-[lnrs])$/.test(value)));
}

/** Why a rule with an open end does not allow these words; null when it does. */
export function hazardOf(words: readonly ReadWord[]): string | null {
  const name = baseName(words[0]?.value ?? '');
  const args = words.slice(1);
  if (CHANGES_MEANING.has(name)) return `${name} changes what later words mean`;
  if (NAMES_VARIABLES.has(name)) return isPlainNaming(args) ? null : `${name} sets variables that programs read`;
  switch (name) {
    case 'set':
      return isPlainSet(args) ? null : 'set changes what later words mean';
    case 'printf':
      return isPlainPrint(args) ? null : 'printf may set a variable';
    case 'test':
    case '[':
      return isPlainTest(words) ? null : `${name} may evaluate what a word holds`;
    case 'wait':
    case 'jobs':
      return isPlainWait(args) ? null : `${name} may set a variable or start a command`;
    default:
      return null;
  }
}
