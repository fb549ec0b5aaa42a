// The checkpoints of a project, one small file each, in a folder a chat. A record is written after all that it names is
// durable, so what is listed can be put back.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { CheckpointId, SessionId } from '../../contract/ids.ts';
import { writeDurably } from './plain-objects.ts';

// Ids are written out: the contract's own would bring the app's part of the program along.
const recordSchema = z.object({
  version: z.literal(1),
  id: z.string().brand('CheckpointId'),
  turnId: z.string().brand('TurnId').nullable(),
  atMs: z.number(),
  store: z.enum(['git', 'plain']),
  /** Roots of trees. */
  before: z.string(),
  after: z.string().nullable(),
  changed: z.number().nullable(),
  skipped: z.number(),
  /** Ignored paths that calls of the chat had named by then: they are kept all the same. */
  named: z.array(z.string()),
});

/** One checkpoint as stored. */
export type CheckpointRecord = z.infer<typeof recordSchema>;

export class Records {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Checkpoints of a chat, oldest first; files that cannot be read are left out. */
  list(sessionId: SessionId): CheckpointRecord[] {
    const folder = path.join(this.#folder, sessionId);
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    const records = names
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => readRecord(path.join(folder, name)));
    return records.sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
  }

  find(sessionId: SessionId, id: CheckpointId): CheckpointRecord | null {
    return readRecord(this.#file(sessionId, id))[0] ?? null;
  }

  /** Codes store.io, store.disk-full, store.read-only. */
  save(sessionId: SessionId, record: CheckpointRecord): void {
    writeDurably(this.#file(sessionId, record.id), Buffer.from(JSON.stringify(record)));
  }

  remove(sessionId: SessionId, id: CheckpointId): void {
    fs.rmSync(this.#file(sessionId, id), { force: true });
  }

  /** Chats that have a folder here. */
  sessions(): SessionId[] {
    return (fs.existsSync(this.#folder) ? fs.readdirSync(this.#folder) : []) as SessionId[];
  }

  forget(sessionId: SessionId): void {
    fs.rmSync(path.join(this.#folder, path.basename(sessionId)), { recursive: true, force: true });
  }

  #file(sessionId: SessionId, id: CheckpointId): string {
    return path.join(this.#folder, path.basename(sessionId), `${path.basename(id)}.json`);
  }
}

function readRecord(file: string): CheckpointRecord[] {
  try {
    const parsed = recordSchema.safeParse(JSON.parse(fs.readFileSync(file, 'utf8')));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}
