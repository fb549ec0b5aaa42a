// Objects in a bare git repository of their own. fast-import takes bytes as they are, and cat-file gives them back: neither
// looks at a working tree, so no attribute, filter or encoding is ever asked. Each tree has a ref that is named by its
// root's id; what has none is freed. `git archive refs/trees/ID files` gives a tree's files without this program.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import { AppError } from '../../base/app-error.ts';
import { bytesOf } from '../workspace/name-bytes.ts';
import type { ObjectReader, ObjectStore, TreeWriter } from './object-store.ts';
import { runGit, startGit, type Git } from './run-git.ts';
import type { Tree, TreeNodes } from './tree.ts';

const REFS = 'refs/trees/';
/** So many packs are still found in quickly. */
const MOST_PACKS = 24;
const MOST_WAITING = 8 * 1024 * 1024;
/** So many bytes are written before the loop gets to hand them on. */
const TURN_BYTES = 128 * 1024;

/** git's own name of bytes. */
export function gitId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The store in `folder`, which is made; code store.io when git refuses. */
export async function openGitObjects(program: string, folder: string): Promise<ObjectStore> {
  const git = { program, folder };
  if (!fs.existsSync(path.join(folder, 'HEAD'))) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    await runGit(git, ['init', '--quiet', '--bare', '--template=', '--object-format=sha1', folder]);
  }
  return new GitObjects(git);
}

class GitObjects implements ObjectStore {
  readonly kind = 'git';
  readonly #git: Git;

  constructor(git: Git) {
    this.#git = git;
  }

  idOf(bytes: Uint8Array): string {
    return gitId(bytes);
  }

  hasTree(root: string): boolean {
    return fs.existsSync(path.join(this.#git.folder, REFS, root));
  }

  write(): Promise<TreeWriter> {
    return Promise.resolve(new GitWriter(this.#git));
  }

  reader(): ObjectReader {
    return new GitReader(this.#git);
  }

  async keepOnly(roots: ReadonlySet<string>): Promise<void> {
    const folder = path.join(this.#git.folder, REFS);
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    const gone = names.filter((name) => !roots.has(name));
    if (gone.length > 0) {
      await runGit(this.#git, ['update-ref', '--stdin'], gone.map((name) => `delete ${REFS}${name}\n`).join(''));
    }
    await runGit(this.#git, ['repack', '-a', '-d', '-q', '--window=0']);
    await runGit(this.#git, ['prune', '--expire=now']);
  }

  async tidy(): Promise<void> {
    const packs = fs
      .readdirSync(path.join(this.#git.folder, 'objects', 'pack'))
      .filter((name) => name.endsWith('.pack'));
    if (packs.length > MOST_PACKS) await runGit(this.#git, ['repack', '-d', '-q', '--geometric=2']);
  }
}

class GitWriter implements TreeWriter {
  readonly #running: ReturnType<typeof startGit>;
  #ended = false;
  #sinceTurn = 0;

  constructor(git: Git) {
    this.#running = startGit(git, ['fast-import', '--quiet', '--done', '--depth=0']);
    this.#running.child.stdout.resume();
  }

  async put(bytes: Buffer): Promise<string> {
    await this.#send(`blob\ndata ${bytes.length}\n`, bytes, '\n');
    return gitId(bytes);
  }

  async finish(tree: Tree, { root, nodes }: TreeNodes): Promise<void> {
    const lines: (string | Buffer)[] = [];
    for (const node of nodes.values()) lines.push(`blob\ndata ${node.length}\n`, node, '\n');
    lines.push(`commit ${REFS}${root}\ncommitter Warrant <warrant@localhost> 0 +0000\ndata 0\n`);
    for (const id of nodes.keys()) lines.push(`M 100644 ${id} folders/${id}\n`);
    for (const [file, item] of tree) {
      if (item.type !== 'file') continue;
      lines.push(`M ${(item.mode & 0o111) === 0 ? '100644' : '100755'} ${item.id} `, placeOf(file, item.id), '\n');
    }
    lines.push('done\n');
    await this.#send(Buffer.concat(lines.map((line) => (typeof line === 'string' ? Buffer.from(line) : line))));
    this.#running.child.stdin.end();
    this.#ended = true;
    await this.#running.ended;
  }

  async abort(): Promise<void> {
    if (!this.#ended) this.#running.child.kill('SIGKILL');
    await this.#running.ended.catch(() => undefined);
  }

  /** Git works while more is read; only so much waits for it. */
  async #send(...pieces: (string | Buffer)[]): Promise<void> {
    const { child, ended } = this.#running;
    for (const piece of pieces) {
      child.stdin.write(piece);
      this.#sinceTurn += piece.length;
    }
    if (child.stdin.writableLength > MOST_WAITING) await Promise.race([drained(child.stdin), ended]);
    else if (this.#sinceTurn < TURN_BYTES) return;
    this.#sinceTurn = 0;
    await nextTurn();
  }
}

const drained = (stream: Writable): Promise<void> => new Promise((resolve) => stream.once('drain', resolve));

/** Where a file stands for people with git alone; names that git refuses go by their id. */
function placeOf(file: string, id: string): Buffer {
  if (file.split('/').some((name) => /^\.git/i.test(name))) return Buffer.from(`others/${id}`);
  const quoted = bytesOf(`files/${file}`)
    .toString('latin1')
    .replaceAll(/[\\"]|[^ -~]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return Buffer.from(`"${quoted}"`);
}

class GitReader implements ObjectReader {
  readonly #git: Git;
  #running: { git: ReturnType<typeof startGit>; bytes: ByteFeed } | null = null;

  constructor(git: Git) {
    this.#git = git;
  }

  async read(id: string): Promise<Buffer> {
    this.#running ??= this.#start();
    const { git, bytes } = this.#running;
    git.child.stdin.write(`${id}\n`);
    const [, type, size] = (await bytes.line()).split(' ');
    if (type !== 'blob') throw damaged(id);
    const content = await bytes.take(Number(size));
    await bytes.take(1);
    if (gitId(content) !== id) throw damaged(id);
    return content;
  }

  async close(): Promise<void> {
    this.#running?.git.child.stdin.end();
    await this.#running?.git.ended.catch(() => undefined);
    this.#running = null;
  }

  #start(): { git: ReturnType<typeof startGit>; bytes: ByteFeed } {
    const git = startGit(this.#git, ['cat-file', '--batch']);
    return { git, bytes: new ByteFeed(git.child.stdout) };
  }
}

export function damaged(id: string): AppError {
  return new AppError('store.damaged', `A part of this checkpoint is missing or damaged (${id.slice(0, 12)}).`);
}

/** Takes a stream's bytes by number, or a line of them. */
class ByteFeed {
  readonly #chunks: AsyncIterator<Buffer, undefined>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(10);
      if (end >= 0) return (await this.take(end + 1)).toString('latin1', 0, end);
      await this.#more([this.#rest], 1);
    }
  }

  async take(count: number): Promise<Buffer> {
    if (this.#rest.length < count) await this.#more([this.#rest], count - this.#rest.length);
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }

  async #more(chunks: Buffer[], count: number): Promise<void> {
    let missing = count;
    while (missing > 0) {
      const next = await this.#chunks.next();
      if (next.done === true) throw new AppError('store.io', 'git ended while a checkpoint was read.');
      chunks.push(next.value);
      missing -= next.value.length;
    }
    this.#rest = Buffer.concat(chunks);
  }
}
