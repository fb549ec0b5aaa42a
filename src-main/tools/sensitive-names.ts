// What in the workspace a fence has to know of, as it is on disk right now: likely secrets, protected paths and repositories.
// Every look goes through the whole tree; names are judged anew only where a folder has others than at the look before.
import { AppError } from '../base/app-error.ts';
import type { BuiltinToolSettings, PathJudge } from './tool-settings.ts';
import type { FolderNews } from './workspace/tree-news.ts';

/** Names looked at; a larger tree is not fenced, because a secret in it could be missed. */
const MOST_NAMES = 200_000;
const SKIPPED = ['node_modules'];

/** Relative paths, each once. */
export interface SensitiveNames {
  readonly secrets: readonly string[];
  readonly protected: readonly string[];
  /** Each `.git`, and each folder that is a repository without one. */
  readonly gits: readonly string[];
}

interface InFolder {
  secrets: string[];
  protected: string[];
  gits: string[];
  /** Which of a bare repository's own names were met. */
  bare: Set<string>;
}

/** The shortest start of a path that a judge speaks of: the folder that is secret, not each file in it. */
function shortest(file: string, judge: (file: string) => boolean): string {
  const names = file.split('/');
  for (let count = 1; count < names.length; count++) {
    const start = names.slice(0, count).join('/');
    if (judge(start)) return start;
  }
  return file;
}

const BARE = new Set(['HEAD', 'objects/', 'refs/', 'commondir']);
const isRepository = (names: ReadonlySet<string>): boolean =>
  names.has('HEAD') && ((names.has('objects/') && names.has('refs/')) || names.has('commondir'));

function judgeName(folder: string, name: string, found: InFolder, paths: PathJudge): void {
  if (BARE.has(name)) found.bare.add(name);
  const isFolder = name.endsWith('/');
  const plain = isFolder ? name.slice(0, -1) : name;
  const path = folder === '' ? plain : `${folder}/${plain}`;
  if (plain === '.git') found.gits.push(path);
  if (!isFolder && paths.isSecret(path)) found.secrets.push(shortest(path, (start) => paths.isSecret(start)));
  if (plain !== '.git' && paths.isProtected(path))
    found.protected.push(shortest(path, (start) => paths.isProtected(start)));
}

class Sight {
  readonly #folders = new Map<string, InFolder>();
  #look = -1;
  #last: Promise<unknown> = Promise.resolve();

  /** Looks; looks that come meanwhile wait for each other. */
  look(settings: BuiltinToolSettings, signal: AbortSignal): Promise<SensitiveNames> {
    const looking = this.#last.then(() => this.#run(settings, signal));
    this.#last = looking.catch(() => undefined);
    return looking;
  }

  async #run({ workspace, paths }: BuiltinToolSettings, signal: AbortSignal): Promise<SensitiveNames> {
    const fresh = new Map<string, InFolder>();
    const tell = ({ folder, first, names }: FolderNews): void => {
      const before = first ? undefined : fresh.get(folder);
      const found = before ?? { secrets: [], protected: [], gits: [], bare: new Set<string>() };
      fresh.set(folder, found);
      for (const name of names) judgeName(folder, name, found, paths);
    };
    const request = { since: this.#look, skipFolders: SKIPPED, mostNames: MOST_NAMES };
    const { look, whole, gone, stopped } = await workspace.news(request, { signal, tell });
    this.#look = stopped ? -1 : look;
    if (signal.aborted) throw new AppError('cancelled', 'It was stopped before it started.');
    if (stopped) throw tooMany();
    if (whole) this.#folders.clear();
    for (const folder of gone) this.#folders.delete(folder);
    for (const [folder, found] of fresh) this.#set(folder, found);
    return this.#all();
  }

  #set(folder: string, found: InFolder): void {
    if (isRepository(found.bare) && folder !== '') found.gits.push(folder);
    const isEmpty = found.secrets.length + found.protected.length + found.gits.length === 0;
    if (isEmpty) this.#folders.delete(folder);
    else this.#folders.set(folder, found);
  }

  #all(): SensitiveNames {
    const of = (pick: (found: InFolder) => readonly string[]): string[] => [
      ...new Set([...this.#folders.values()].flatMap(pick)),
    ];
    return {
      secrets: of((found) => found.secrets),
      protected: of((found) => found.protected),
      gits: of((found) => found.gits),
    };
  }
}

function tooMany(): AppError {
  return new AppError(
    'process.confinement-failed',
    `The workspace has more than ${MOST_NAMES} files, too many to look for secrets before a command. Ask for unconfined.`,
  );
}

const sights = new WeakMap<BuiltinToolSettings, Sight>();

/** Looks at the workspace. process.confinement-failed when it is too large, `cancelled` when the signal came first. */
export function lookForSensitive(settings: BuiltinToolSettings, signal: AbortSignal): Promise<SensitiveNames> {
  const sight = sights.get(settings) ?? new Sight();
  sights.set(settings, sight);
  return sight.look(settings, signal);
}
