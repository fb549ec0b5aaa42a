// Which paths likely hold a secret, by their spelling alone. Pure. Any component counts, in any letter case; what a file
// system may take for the same name (compatibility forms, invisible characters) is taken for the same name here too.

const PLAIN_NAMES = new Set([
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.ssh',
  '.aws',
  '.gnupg',
  '.kube',
  '.docker',
]);
const NAME_PATTERNS = [
  /\.(pem|key|p12|pfx|kdbx|jks)$/,
  /^id_(rsa|ed25519)/,
  /^credentials/,
  /^secrets\./,
  /^\.env(?!.*\.(example|sample)$)/,
];

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The spelling that counts when names are compared. */
export function comparableName(name: string): string {
  // Most names are plain, and a whole tree is judged before each confined command.
  const plain = /^[\x20-\x7e]*$/.test(name) ? name : name.normalize('NFKC').replace(INVISIBLE, '');
  return plain.toLowerCase().replace(/[. ]+$/, '');
}

/** The names of a path in the spelling that counts; takes `/` and `\`. */
export function comparableNames(path: string): string[] {
  return path
    .split(/[/\\]/)
    .filter((name) => name !== '' && name !== '.')
    .map(comparableName);
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.+()|{}[\]]/g, '\\$&');
}

/** A person's pattern: `*` and `?` within a name, `**` across names; without a slash it holds for any one name. */
function toPattern(glob: string): { readonly whole: boolean; readonly pattern: RegExp } {
  const names = comparableNames(glob).map((name) =>
    name === '**' ? '.*' : escapeForPattern(name).replace(/\*+/g, '[^/]*').replaceAll('?', '[^/]'),
  );
  return { whole: names.length > 1, pattern: new RegExp(`^${names.join('/')}$`, 'u') };
}

/** A judge of likely secrets; `extra` are the person's own patterns. */
export function createSecretPaths(extra: readonly string[] = []): (path: string) => boolean {
  const own = extra.filter((glob) => comparableNames(glob).length > 0).map(toPattern);
  const isOwn = (names: readonly string[]): boolean =>
    own.some(({ whole, pattern }) =>
      whole
        ? names.some((_, index) => pattern.test(names.slice(0, index + 1).join('/')))
        : names.some((name) => pattern.test(name)),
    );
  return (path) => {
    const names = comparableNames(path);
    return (
      names.some((name) => PLAIN_NAMES.has(name) || NAME_PATTERNS.some((pattern) => pattern.test(name))) ||
      names.some((name, index) => name === '.config' && names[index + 1] === 'gcloud') ||
      isOwn(names)
    );
  };
}
