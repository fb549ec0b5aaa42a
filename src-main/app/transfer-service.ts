// Chats in and out as files: export into the data folder, import of a file as a new chat or in the place of a chat's
// conversation. What is imported can be gone on with; its records are kept verbatim.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../base/app-error.ts';
import { newId } from '../base/new-id.ts';
import type { EntryData, NewEntry } from '../contract/entries.ts';
import type { AppEvent } from '../contract/events.ts';
import type { ProjectId, SessionId } from '../contract/ids.ts';
import { projectMessages } from '../engine/project-request.ts';
import type { Store } from '../store/store.ts';
import { entryNow } from './carried-facts.ts';
import { toJsonl, toMarkdown, toMessages, type ExportFormat } from './export-chat.ts';
import type { ImportTaker } from './import/run-import.ts';
import type { SessionsService } from './sessions-service.ts';

const NAME_CHARACTERS = 60;
/** Characters of a conversation that takes the place of another one, as one commit: no request may be larger. */
const MOST_REPLACED = 67_108_864;
/** Reading is the smaller half of an import. */
const READ = 0.3;

const writers = { jsonl: toJsonl, messages: toMessages, markdown: toMarkdown } as const;
const endings = { jsonl: '.jsonl', messages: '.messages.jsonl', markdown: '.md' } as const;

export interface TransferParts {
  readonly store: Store;
  readonly sessions: SessionsService;
  readonly dataFolder: string;
  readonly publish: (event: AppEvent) => void;
}

export class TransferService {
  readonly #parts: TransferParts;
  readonly #running = new Map<string, AbortController>();

  constructor(parts: TransferParts) {
    this.#parts = parts;
  }

  /** Writes a chat into a file of the folder `exports`; gives its path. Codes session.not-found, store.*. */
  async export(id: SessionId, format: ExportFormat): Promise<string> {
    const { store, sessions, dataFolder } = this.#parts;
    const { title } = await sessions.summary(id);
    const name = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, NAME_CHARACTERS);
    const folder = path.join(dataFolder, 'exports');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${name}-${id.slice(-8)}${endings[format]}`);
    await writePrivate(file, await chatText({ store, id, title }, format));
    return file;
  }

  /**
   * A file as a new chat of a project; gives its id and what was understood. The file is read beside this thread, and the
   * chat is in no list until all of it is stored. Codes config.invalid, project.*, cancelled.
   */
  async import(
    projectId: ProjectId,
    file: string,
    importId = '',
  ): Promise<{ sessionId: SessionId; report: EntryData<'import'> }> {
    const { store, sessions, publish } = this.#parts;
    const stop = new AbortController();
    const key = importId === '' ? newId() : importId;
    this.#running.set(key, stop);
    const tell = (part: number): void => {
      if (importId !== '') publish({ type: 'import-progress', importId, part });
    };
    const found: { title: string; report: EntryData<'import'> | null } = { title: '', report: null };
    try {
      const sessionId = await sessions.createImported(projectId, async (id, { pid }) => {
        const total = { pieces: 0, done: 0 };
        const step = (count: number): void => {
          total.done += count;
          tell(READ + ((1 - READ) * total.done) / Math.max(1, total.pieces));
        };
        await this.#run(file, stop.signal, {
          progress: (part) => {
            tell(part * READ);
          },
          parsed: async ({ title, report, records }) => {
            Object.assign(found, { title, report });
            total.pieces = records + report.entries;
            await store.append(id, pid, [entryNow('import', report)]);
          },
          records: async (records) => {
            await store.addRecords(id, pid, records);
            step(records.length);
          },
          entries: async (entries) => {
            await store.append(id, pid, entries);
            step(entries.length);
          },
        });
        const title = found.title === '' ? path.basename(file) : found.title;
        await store.append(id, pid, [entryNow('title', { title, by: 'person' })]);
      });
      if (found.report === null) throw new AppError('internal', 'The import told nothing of what it found.');
      return { sessionId, report: found.report };
    } finally {
      this.#running.delete(key);
    }
  }

  /** Stops an import that runs; an unknown one has ended already. */
  async stop(importId: string): Promise<void> {
    this.#running.get(importId)?.abort();
    await Promise.resolve();
  }

  /**
   * A file's conversation in the place of the present one, which stays readable above it. Codes config.invalid,
   * session.not-at-boundary while a turn is open.
   */
  async replace(id: SessionId, file: string): Promise<EntryData<'import'>> {
    const live = await this.#parts.sessions.load(id);
    const assertResting = (): void => {
      if (!live.isBusy && !live.engine.openTurn) return;
      throw new AppError('session.not-at-boundary', 'Wait for the answer, or stop it, and then load the file.');
    };
    assertResting();
    const entries: NewEntry[] = [];
    const found: { report: EntryData<'import'> | null } = { report: null };
    let characters = 0;
    await this.#run(file, new AbortController().signal, {
      progress: () => {},
      parsed: async (parsed) => {
        found.report = parsed.report;
        await Promise.resolve();
      },
      records: () => Promise.resolve(),
      entries: async (piece) => {
        characters += JSON.stringify(piece).length;
        if (characters > MOST_REPLACED) throw tooLarge(file);
        entries.push(...piece);
        await Promise.resolve();
      },
    });
    const { report } = found;
    if (report === null) throw new AppError('internal', 'The import told nothing of what it found.');
    assertResting();
    const head = entryNow('import', { ...report, records: 0 });
    await live.engine.record([entryNow('context-clear', { by: 'import' }), head, ...entries]);
    return report;
  }

  async #run(file: string, signal: AbortSignal, taker: ImportTaker): Promise<void> {
    // At first use: no start should pay for it.
    const { runImport } = await import('./import/run-import.ts');
    await runImport({ file, nowMs: Date.now() }, taker, signal);
  }
}

/** A chat as text. Codes session.not-found, store.*. */
export async function chatText(
  chat: { store: Store; id: SessionId; title: string },
  format: ExportFormat,
): Promise<string> {
  const { store, id, title } = chat;
  const { entries } = await store.readPath(id);
  const records = format === 'jsonl' ? await store.readRecords(id) : [];
  const messages = format === 'messages' ? projectMessages(entries) : [];
  return writers[format]({ sessionId: id, title, entries, records, messages, nowMs: Date.now() });
}

/** Writes a file that only its owner may read. */
export async function writePrivate(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  await chmod(file, 0o600);
}

function tooLarge(file: string): AppError {
  return new AppError(
    'config.invalid',
    `${file} was not loaded: its conversation has more than 64 Mi characters, which no request can hold. Import it as a chat of its own.`,
    { details: { file } },
  );
}
