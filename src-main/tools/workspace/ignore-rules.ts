// Git's ignore rules for a walk: nested .gitignore files, negation, .git/info/exclude and a person's global file; the
// deepest rule wins, and nothing below an ignored folder can be taken back. Reads the files through the given reader.
import type { Ignore } from 'ignore';
import { ruleNames, type NameTest } from './rule-names.ts';

/** The text of a file in the tree, by its path relative to the walk's root; null when it is not there or no text. */
export type RuleReader = (path: string) => string | null;

/** Makes a rule set of the `ignore` package; passed in, so that the package is loaded only by who needs it. */
export type RuleFactory = () => Ignore;

interface FolderRules {
  readonly folder: string;
  readonly rules: Ignore;
  readonly mayMean: NameTest;
}

/** How rule files become rules. */
interface RuleSource {
  readonly read: RuleReader;
  readonly layer: (folder: string, text: string) => FolderRules;
}

/** The rules that hold in one folder, and those of the folders above it. */
export interface IgnoreScope {
  /** Whether git would ignore the entry `path` (relative to the root, with `/`). */
  ignores(path: string, isFolder: boolean): boolean;
  /** The scope of a folder below, with the rules of its own .gitignore. */
  enter(folder: string): IgnoreScope;
}

function scope(layers: readonly FolderRules[], source: RuleSource): IgnoreScope {
  const deepestFirst = layers.toReversed();
  return {
    ignores(path, isFolder) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      for (const { folder, rules, mayMean } of deepestFirst) {
        if (!mayMean(name)) continue;
        const below = folder === '' ? path : path.slice(folder.length + 1);
        const result = rules.test(isFolder ? `${below}/` : below);
        if (result.ignored) return true;
        if (result.unignored) return false;
      }
      return false;
    },
    enter(folder) {
      const text = source.read(folder === '' ? '.gitignore' : `${folder}/.gitignore`);
      return text === null ? this : scope([...layers, source.layer(folder, text)], source);
    },
  };
}

/** Where a walk starts, and the person's global rules. */
export interface IgnoreStart {
  /** Folder that the walk starts in, relative to the root; empty for the root. */
  readonly folder: string;
  /** Text of the person's global ignore file, empty when there is none. */
  readonly globalRules: string;
}

/**
 * The scope of the folder where a walk starts. A folder that was asked for by name wins over rules that would ignore
 * it: then only rules from there downwards hold.
 */
export function startIgnoreScope(start: IgnoreStart, read: RuleReader, make: RuleFactory): IgnoreScope {
  const layer = (folder: string, text: string): FolderRules => {
    return { folder, rules: make().add(text), mayMean: ruleNames(text) };
  };
  const source = { read, layer };
  const layers: FolderRules[] = [];
  if (start.globalRules !== '') layers.push(layer('', start.globalRules));
  const exclude = read('.git/info/exclude');
  if (exclude !== null) layers.push(layer('', exclude));
  let now = scope(layers, source).enter('');
  if (start.folder === '') return now;
  const parts = start.folder.split('/');
  for (let depth = 1; depth <= parts.length; depth++) {
    const folder = parts.slice(0, depth).join('/');
    if (now.ignores(folder, true)) return scope([], source).enter(start.folder);
    now = now.enter(folder);
  }
  return now;
}
