// Reads an open file and tells which version it is. Synchronous; callers keep it to small files on the main thread.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import { AppError } from '../../base/app-error.ts';
import { SystemCallError } from './door-error.ts';
import type { FileContent, FileVersion } from './workspace-door.ts';

/** SHA-256 of bytes, 64 hex digits. */
export function sha256(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex');
}

/** The version of a file with this state and these bytes. */
export function toVersion(stat: fs.BigIntStats, bytes: Uint8Array): FileVersion {
  return {
    dev: String(stat.dev),
    ino: String(stat.ino),
    size: bytes.length,
    mtimeNs: String(stat.mtimeNs),
    mode: Number(stat.mode) & 0o7777,
    links: Number(stat.nlink),
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    sha256: sha256(bytes),
  };
}

/** SystemCallError unless the descriptor is a regular file. */
export function assertRegularFile(stat: fs.BigIntStats): void {
  if (stat.isDirectory()) throw new SystemCallError('EISDIR', 'open');
  if (!stat.isFile()) throw new SystemCallError('ENXIO', 'open');
}

/** All bytes of an open regular file from its start. workspace.too-large above `maxBytes`. */
export function readDescriptor(descriptor: number, maxBytes: number): FileContent {
  const stat = fs.fstatSync(descriptor, { bigint: true });
  assertRegularFile(stat);
  if (stat.size > BigInt(maxBytes)) throw tooLarge(Number(stat.size), maxBytes);
  const chunks: Buffer[] = [];
  let total = 0;
  // One byte more than the size finds the end of a file in one read, and of one that grew or has no size (/proc).
  let next = Math.max(Number(stat.size) + 1, 4096);
  for (;;) {
    const chunk = Buffer.allocUnsafe(next);
    const got = fs.readSync(descriptor, chunk, 0, chunk.length, total);
    if (got === 0) break;
    chunks.push(chunk.subarray(0, got));
    total += got;
    if (total > maxBytes) throw tooLarge(total, maxBytes);
    next = total === Number(stat.size) ? 1 : 65_536;
  }
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  return { bytes, version: toVersion(stat, bytes) };
}

function tooLarge(size: number, maxBytes: number): AppError {
  return new AppError('workspace.too-large', `It has ${size} bytes; ${maxBytes} is the most that is read at once.`, {
    details: { size, maxBytes },
  });
}
