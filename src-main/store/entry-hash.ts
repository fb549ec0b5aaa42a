// The hash chain of a session's entries. A payload counts by its digest alone, so that the chain stays whole when a
// payload is purged; the root's parent is the session's id, so entries cannot wander between sessions unseen.
import { hash } from 'node:crypto';

/** What of an entry, beside its payload, the hash covers. */
export interface HashedFacts {
  seq: number;
  id: string;
  parentId: string | null;
  kind: string;
  atMs: number;
}

/** Stands in for the parent's hash at the root: 32 bytes. */
export function rootHash(sessionId: string): Uint8Array {
  return hash('sha256', `warrant session ${sessionId}`, 'buffer');
}

/** sha256 over the parent's hash, the facts and the payload's digest: 32 bytes. */
export function entryHash(parent: Uint8Array, facts: HashedFacts, payload: string): Uint8Array {
  const digest = hash('sha256', payload, 'hex');
  const text = `${facts.seq}\n${facts.id}\n${facts.parentId ?? ''}\n${facts.kind}\n${facts.atMs}\n${digest}`;
  return hash('sha256', Buffer.concat([parent, Buffer.from(text)]), 'buffer');
}
