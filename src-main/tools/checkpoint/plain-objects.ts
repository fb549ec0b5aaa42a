// Objects as compressed files, for machines without git. Bytes that do not match their name are refused when they are read,
// so what a power cut left is never put back as something else.
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { AppError } from '../../base/app-error.ts';
import { errnoOf } from '../workspace/door-error.ts';
import { damaged } from './git-objects.ts';
import type { ObjectReader, ObjectStore, TreeWriter } from './object-store.ts';
import { readReachable, type Tree, type TreeNodes } from './tree.ts';

const idOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The store in `folder`, which is made. */
export function openPlainObjects(folder: string): ObjectStore {
  fs.mkdirSync(path.join(folder, 'trees'), { recursive: true, mode: 0o700 });
  return new PlainObjects(folder);
}

class PlainObjects implements ObjectStore {
  readonly kind = 'plain';
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  idOf(bytes: Uint8Array): string {
    return idOf(bytes);
  }

  hasTree(root: string): boolean {
    return fs.existsSync(path.join(this.#folder, 'trees', root));
  }

  write(): Promise<TreeWriter> {
    const put = (bytes: Buffer, id = idOf(bytes)): Promise<string> => {
      this.#put(id, bytes);
      return Promise.resolve(id);
    };
    const finish = (_tree: Tree, { root, nodes }: TreeNodes): Promise<void> => {
      for (const [id, bytes] of nodes) this.#put(id, bytes);
      writeDurably(path.join(this.#folder, 'trees', root), Buffer.alloc(0));
      return Promise.resolve();
    };
    return Promise.resolve({ put, finish, abort: () => Promise.resolve() });
  }

  reader(): ObjectReader {
    return { read: (id) => this.#read(id), close: () => Promise.resolve() };
  }

  async keepOnly(roots: ReadonlySet<string>): Promise<void> {
    const trees = path.join(this.#folder, 'trees');
    for (const name of fs.readdirSync(trees)) if (!roots.has(name)) fs.rmSync(path.join(trees, name));
    const { nodes, files } = await readReachable(roots, (id) => this.#read(id));
    for (const place of fs.readdirSync(this.#folder).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
      for (const rest of fs.readdirSync(path.join(this.#folder, place))) {
        const id = place + rest;
        if (!nodes.has(id) && !files.has(id)) fs.rmSync(path.join(this.#folder, place, rest));
      }
    }
  }

  tidy(): Promise<void> {
    return Promise.resolve();
  }

  #place(id: string): string {
    return path.join(this.#folder, id.slice(0, 2), id.slice(2));
  }

  #put(id: string, bytes: Buffer): void {
    const place = this.#place(id);
    if (fs.existsSync(place)) return;
    const temp = `${place}.${randomBytes(4).toString('hex')}`;
    try {
      fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 });
      fs.writeFileSync(temp, deflateRawSync(bytes, { level: 1 }), { mode: 0o600 });
      fs.renameSync(temp, place);
    } catch (error) {
      fs.rmSync(temp, { force: true });
      throw storeError(error);
    }
  }

  #read(id: string): Promise<Buffer> {
    try {
      const bytes = inflateRawSync(fs.readFileSync(this.#place(id)));
      return idOf(bytes) === id ? Promise.resolve(bytes) : Promise.reject(damaged(id));
    } catch {
      return Promise.reject(damaged(id));
    }
  }
}

/** Writes a small file in one step that survives a power cut. Codes store.io, store.disk-full, store.read-only. */
export function writeDurably(file: string, bytes: Uint8Array): void {
  const temp = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(temp, bytes, { mode: 0o600, flush: true });
    fs.renameSync(temp, file);
  } catch (error) {
    fs.rmSync(temp, { force: true });
    throw storeError(error);
  }
}

/** The error of a store that cannot be written. */
export function storeError(error: unknown): AppError {
  const errno = errnoOf(error);
  const code =
    errno === 'ENOSPC' || errno === 'EDQUOT'
      ? 'store.disk-full'
      : errno === 'EROFS' || errno === 'EACCES'
        ? 'store.read-only'
        : 'store.io';
  const words = error instanceof Error ? error.message : 'unknown error';
  return new AppError(code, `The store of checkpoints could not be written: ${words}`, { cause: error });
}
