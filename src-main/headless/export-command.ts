// `warrant export`: a chat as text on standard output, or as a file with its companions beside it in a folder. Reads the
// store alone, and writes nothing into it.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { companionsOf, type Companion } from '../app/companions.ts';
import { openToRead } from '../app/open-data-store.ts';
import { chatText, writePrivate } from '../app/transfer-service.ts';
import { AppError } from '../base/app-error.ts';
import type { SessionId } from '../contract/ids.ts';
import type { ExportCommand } from './parse-command.ts';

const endings = { jsonl: '.jsonl', messages: '.messages.jsonl', markdown: '.md' } as const;

/** Codes session.not-found, store.*, config.invalid where the folder cannot be written. */
export async function exportFrom(dataFolder: string, command: ExportCommand): Promise<void> {
  const store = await openToRead(dataFolder);
  try {
    const row = (await store.getSession(command.chat as SessionId)) ?? (await store.findSession(command.chat));
    if (!row) throw new AppError('session.not-found', `There is no chat ${command.chat}.`);
    const text = await chatText({ store, id: row.id, title: row.title }, command.format);
    if (command.out === undefined) {
      await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
      return;
    }
    const name = row.name === '' ? row.id : row.name;
    const files: Companion[] = [{ ending: endings[command.format], text }];
    if (command.companions) {
      files.push(...companionsOf((await store.readPath(row.id)).entries, await store.readTree(row.id)));
    }
    await writeAll(
      command.out,
      files.map(({ ending, text: content }) => [`${name}${ending}`, content] as const),
    );
  } finally {
    await store.close();
  }
}

async function writeAll(folder: string, files: readonly (readonly [name: string, text: string])[]): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of files) {
      const file = path.join(folder, name);
      await writePrivate(file, text);
      process.stdout.write(`${file}\n`);
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it could not be written';
    throw new AppError('config.invalid', `The chat was not exported into ${folder}: ${why}.`, { cause });
  }
}
