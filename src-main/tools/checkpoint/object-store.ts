// Where the bytes of checkpoints are kept, named by themselves. git-objects keeps them in a repository of its own, and
// plain-objects in files where there is no git. A tree that was put stays, with all that it names, until it is dropped.
import type { Tree, TreeNodes } from './tree.ts';

/** Puts one tree: first the bytes that are new, then the tree. One of `finish` and `abort` ends it. */
export interface TreeWriter {
  /** Keeps bytes; gives their id. */
  put(bytes: Buffer): Promise<string>;
  /** Keeps the tree, durably, under its root's id. */
  finish(tree: Tree, nodes: TreeNodes): Promise<void>;
  /** Lets go; nothing that was put needs to stay. Never rejects. */
  abort(): Promise<void>;
}

/** Reads objects by id, one after another; bytes that are not those of the id are refused. */
export interface ObjectReader {
  /** Codes store.damaged, store.io. */
  read(id: string): Promise<Buffer>;
  close(): Promise<void>;
}

export interface ObjectStore {
  readonly kind: 'git' | 'plain';
  idOf(bytes: Uint8Array): string;
  hasTree(root: string): boolean;
  /** Codes store.io, store.disk-full. */
  write(): Promise<TreeWriter>;
  reader(): ObjectReader;
  /** Keeps these trees and nothing else; frees what that leaves. */
  keepOnly(roots: ReadonlySet<string>): Promise<void>;
  /** What is worth doing now and then, such as packing; cheap when there is nothing to do. */
  tidy(): Promise<void>;
}
