// Chats in and out as files: export into the data folder, import of a file as a new chat or in the place of a chat's
// conversation. What is imported can be gone on with; its records are kept verbatim.
import { chmod, mkdir, open, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../base/app-error.ts';
import type { EntryData } from '../contract/entries.ts';
import type { ProjectId, SessionId } from '../contract/ids.ts';
import { assertValidHistory } from '../engine/fold-history.ts';
import { projectMessages } from '../engine/project-request.ts';
import type { Store } from '../store/store.ts';
import { entryNow } from './carried-facts.ts';
import { toJsonl, toMarkdown, toMessages, type ExportFormat } from './export-chat.ts';
import type { ParsedFile } from './import/parse-file.ts';
import type { SessionsService } from './sessions-service.ts';

/** Larger files are refused: they would not fit into memory beside the chats that are open. */
const MOST_BYTES = 268_435_456;
const NAME_CHARACTERS = 60;

const writers = { jsonl: toJsonl, messages: toMessages, markdown: toMarkdown } as const;
const endings = { jsonl: '.jsonl', messages: '.messages.jsonl', markdown: '.md' } as const;

export class TransferService {
  readonly #store: Store;
  readonly #sessions: SessionsService;
  readonly #folder: string;

  constructor(parts: { store: Store; sessions: SessionsService; dataFolder: string }) {
    this.#store = parts.store;
    this.#sessions = parts.sessions;
    this.#folder = path.join(parts.dataFolder, 'exports');
  }

  /** Writes a chat into a file of the folder `exports`; gives its path. Codes session.not-found, store.*. */
  async export(id: SessionId, format: ExportFormat): Promise<string> {
    const { title } = await this.#sessions.summary(id);
    const { entries } = await this.#store.readPath(id);
    const records = format === 'jsonl' ? await this.#store.readRecords(id) : [];
    const messages = format === 'messages' ? projectMessages(entries) : [];
    const text = writers[format]({ sessionId: id, title, entries, records, messages, nowMs: Date.now() });
    const name = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, NAME_CHARACTERS);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = path.join(this.#folder, `${name}-${id.slice(-8)}${endings[format]}`);
    await writeFile(file, text, { mode: 0o600 });
    await chmod(file, 0o600);
    return file;
  }

  /** A file as a new chat of a project; gives its id and what was understood. Codes config.invalid, project.*. */
  async import(projectId: ProjectId, file: string): Promise<{ sessionId: SessionId; report: EntryData<'import'> }> {
    const parsed = await this.#read(file);
    const title = entryNow('title', { title: parsed.title === '' ? path.basename(file) : parsed.title, by: 'person' });
    const entries = [entryNow('import', parsed.report), ...parsed.entries, title];
    const live = await this.#sessions.create({ projectId }, { entries, records: parsed.records });
    return { sessionId: live.id, report: parsed.report };
  }

  /**
   * A file's conversation in the place of the present one, which stays readable above it. Codes config.invalid,
   * session.not-at-boundary while a turn is open.
   */
  async replace(id: SessionId, file: string): Promise<EntryData<'import'>> {
    const live = await this.#sessions.load(id);
    if (live.isBusy || live.engine.openTurn) {
      throw new AppError('session.not-at-boundary', 'Wait for the answer, or stop it, and then load the file.');
    }
    const { entries, report } = await this.#read(file);
    await live.engine.record([
      entryNow('context-clear', { by: 'import' }),
      entryNow('import', { ...report, records: 0 }),
      ...entries,
    ]);
    return report;
  }

  async #read(file: string): Promise<ParsedFile> {
    const text = await readWhole(file);
    // At first use: it brings the schemas of all entries, which no start should pay for.
    const { parseFile } = await import('./import/parse-file.ts');
    const parsed = await parseFile(text, { file: path.basename(file), nowMs: Date.now() });
    // Before anything is stored: a chat whose history is refused could never be opened.
    assertValidHistory(parsed.entries);
    return parsed;
  }
}

async function readWhole(file: string): Promise<string> {
  try {
    const facts = await stat(file);
    if (!facts.isFile() || facts.size > MOST_BYTES) throw unreadable(file, 'it is no file of at most 256 MB');
    const handle = await open(file, 'r');
    try {
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unreadable(file, error instanceof Error ? error.message : 'it could not be read');
  }
}

function unreadable(file: string, why: string): AppError {
  return new AppError('config.invalid', `${file} was not imported: ${why}. Nothing was changed.`, {
    details: { file },
  });
}
