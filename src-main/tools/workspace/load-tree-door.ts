// Opens a pinned folder anew as a tree door, in the form in which it was pinned.
import fs from 'node:fs';
import { AppError } from '../../base/app-error.ts';
import type { WorkspaceIdentity } from '../../engine/ports.ts';
import { FOLDER_FLAGS, type DirectoryCalls } from './directory-calls.ts';
import { errnoOf } from './door-error.ts';
import type { TreeDoor } from './tree-door.ts';

export interface OpenTree {
  readonly door: TreeDoor;
  close(): void;
}

/** The door of that folder. Code project.gone when it is not there any more, or another folder is. */
export async function openTreeDoor(identity: WorkspaceIdentity): Promise<OpenTree> {
  const { path, guarantee } = identity;
  if (guarantee === 'checked') {
    assertSame(
      identity,
      found(identity, () => fs.statSync(path, { bigint: true })),
    );
    const { CheckedTree } = await import('./checked-tree.ts');
    return { door: new CheckedTree(path), close: () => undefined };
  }
  const root = found(identity, () => fs.openSync(path, FOLDER_FLAGS));
  try {
    assertSame(identity, fs.fstatSync(root, { bigint: true }));
    const { DescriptorTree } = await import('./descriptor-tree.ts');
    const door = new DescriptorTree(root, await callsOf(guarantee));
    const close = (): void => {
      door.close();
      fs.closeSync(root);
    };
    return { door, close };
  } catch (error) {
    fs.closeSync(root);
    throw error;
  }
}

let posix: Promise<DirectoryCalls> | null = null;

/** The calls of a form; those of the C library are bound once a thread. */
async function callsOf(guarantee: 'descriptor' | 'proc'): Promise<DirectoryCalls> {
  if (guarantee === 'proc') return (await import('./proc-calls.ts')).procCalls;
  posix ??= import('./posix-calls.ts').then((module) => module.loadPosixCalls());
  return posix;
}

function found<T>(identity: WorkspaceIdentity, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    throw gone(identity, error);
  }
}

function assertSame(identity: WorkspaceIdentity, stat: fs.BigIntStats): void {
  if (String(stat.dev) !== identity.dev || String(stat.ino) !== identity.ino) throw gone(identity);
}

function gone({ path }: WorkspaceIdentity, cause?: unknown): AppError {
  return new AppError('project.gone', `The folder ${path} is not there any more, or another one is.`, {
    details: { path },
    cause,
  });
}
