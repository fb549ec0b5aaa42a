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

/** Stands in for the parent's hash at the root: 64 hex digits. */
export function rootHash(sessionId: string): string {
  return hash('sha256', `warrant session ${sessionId}`, 'hex');
}

/** sha256 over the parent's hash, the facts and the payload's digest: 64 hex digits. */
export function entryHash(parent: string, facts: HashedFacts, payload: string): string {
  const digest = hash('sha256', payload, 'hex');
  const { seq, id, parentId, kind, atMs } = facts;
  return hash('sha256', `${parent}\n${seq}\n${id}\n${parentId ?? ''}\n${kind}\n${atMs}\n${digest}`, 'hex');
}
