// A generated tree that looks like a repository: folders of sources, a nested .gitignore, a few large files. The same
// number of files gives the same bytes.
import fs from 'node:fs';
import path from 'node:path';

const FOLDERS_PER_FILE = 1 / 12;

/** What was made. */
export interface SourceTree {
  readonly root: string;
  readonly files: number;
  readonly folders: number;
  readonly megabytes: number;
}

const line = (n: number): string =>
  `export const value${n} = compute(${n % 97}, 'some text of a usual length', [${n}]);\n`;

/** Makes it below `root`, which must not be there: `files` files of about 7.7 KB each; three hold `needleInHay`. */
export function sourceTree(root: string, files: number): SourceTree {
  const folders = Math.ceil(files * FOLDERS_PER_FILE);
  const at = (n: number): string => path.join(root, `part${n % 12}`, `area${n % 60}`, `feature${n}`);
  for (let n = 0; n < folders; n++) fs.mkdirSync(at(n), { recursive: true });
  const body = Array.from({ length: 100 }, (_, n) => line(n)).join('');
  let bytes = 0;
  for (let n = 0; n < files; n++) {
    const needle = n % Math.ceil(files / 3) === 7 ? 'const needleInHay = 1;\n' : '';
    const text = `// file ${n}\n${needle}${body.slice((n * 13) % 2000)}`;
    fs.writeFileSync(path.join(at(n % folders), `file${n}.${n % 5 === 0 ? 'md' : 'ts'}`), text);
    bytes += text.length;
  }
  fs.writeFileSync(path.join(root, '.gitignore'), 'dist/\n*.log\n');
  return { root, files, folders, megabytes: Math.round(bytes / 1e6) };
}

/** Removes a tree. */
export function removeTree(root: string): void {
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}
