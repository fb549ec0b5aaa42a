// `warrant checkpoints` and `warrant restore`: what the turns of a chat changed in files, and putting it back. A restore
// first prints what it would do, and does it only when it is told to.
import path from 'node:path';
import { createApp, type App } from '../app/create-app.ts';
import { openDataStore } from '../app/open-data-store.ts';
import { createSecretStore } from '../app/secret-store.ts';
import { SettingsService } from '../app/settings-service.ts';
import { AppError } from '../base/app-error.ts';
import { silentLogger } from '../base/logger.ts';
import type { Checkpoint, CheckpointFile, RestoreScope } from '../contract/checkpoints.ts';
import type { CheckpointId, SessionId } from '../contract/ids.ts';
import { EXIT } from './exit-codes.ts';
import { headlessHost } from './headless-host.ts';
import type { CheckpointsCommand, RestoreCommand } from './parse-command.ts';
import { visibleText } from './visible-text.ts';

/** Where the program and its data are. */
export interface CommandSite {
  readonly folder: string;
  readonly version: string;
}

/** Runs either command; gives the exit code: 1 where some of the files could not be put back. */
export async function runCheckpointCommand(
  command: CheckpointsCommand | RestoreCommand,
  site: CommandSite,
): Promise<number> {
  const store = await openDataStore({ folder: site.folder, thread: 'own' });
  const app = createApp({
    host: headlessHost(site.version, createSecretStore(site.folder)),
    ...{ logger: silentLogger, store, settings: await SettingsService.open(site.folder) },
    ...{ dataFolder: site.folder, outputFolder: path.join(site.folder, 'outputs') },
    ...{ environment: process.env, program: `warrant ${command.type}`, asker: null },
  });
  try {
    const row = (await store.getSession(command.chat as SessionId)) ?? (await store.findSession(command.chat));
    if (!row) throw new AppError('session.not-found', `There is no chat ${command.chat}.`);
    return command.type === 'checkpoints' ? await list(app, row.id, command) : await restore(app, row.id, command);
  } finally {
    await app.close();
  }
}

async function list(app: App, id: SessionId, { json }: CheckpointsCommand): Promise<number> {
  const { off, checkpoints } = await app.checkpoints.list(id);
  if (json) say(JSON.stringify({ off, checkpoints }));
  else for (const one of checkpoints) say(lineOf(one));
  if (off !== null) process.stderr.write(`${off}\n`);
  else if (checkpoints.length === 0) process.stderr.write('No turn of this chat has changed a file.\n');
  return EXIT.completed;
}

async function restore(app: App, id: SessionId, command: RestoreCommand): Promise<number> {
  const [only] = command.files;
  const checkpointId = command.checkpoint as CheckpointId;
  const single = command.files.length === 1 && only !== undefined;
  const scope: RestoreScope = single
    ? { type: 'file', checkpointId, path: only }
    : { type: command.since ? 'since' : 'turn', checkpointId };
  const plan = await app.checkpoints.plan(id, scope);
  const wanted = plan.files.filter(({ path: file, by }) =>
    command.files.length > 0 ? command.files.includes(file) : by === 'turn',
  );
  for (const file of wanted) say(`${mark(file)} ${visibleText(file.path.toWellFormed())}${noteOf(file)}`);
  const paths = wanted.filter(({ blocked }) => blocked === null).map((file) => file.path);
  if (paths.length === 0) {
    process.stderr.write('There is nothing to put back.\n');
    return EXIT.completed;
  }
  if (!command.yes) {
    process.stderr.write('Nothing was changed. Say it again with --yes to put these back.\n');
    return EXIT.completed;
  }
  const { restored, kept, checkpointId: made } = await app.checkpoints.restore(id, { scope, shown: plan.shown, paths });
  for (const { path: file, why } of kept) process.stderr.write(`${visibleText(`${file.toWellFormed()}: ${why}`)}\n`);
  const count = restored.length === 1 ? 'One file was' : `${String(restored.length)} files were`;
  process.stderr.write(`${count} put back. To take that back: warrant restore ${id} ${made ?? ''} --yes\n`);
  return kept.length > 0 ? EXIT.failed : EXIT.completed;
}

function lineOf({ id, atMs, changed, open, problem, text }: Checkpoint): string {
  const what = open ? 'running' : changed === null ? 'cut' : changed === 1 ? '1 file' : `${String(changed)} files`;
  const words = visibleText(text.trim().split('\n')[0] ?? '');
  const at = new Date(atMs).toISOString();
  return `${id ?? '-'}  ${at}  ${problem === null ? what : `not kept: ${visibleText(problem)}`}  ${words}`;
}

/** What becomes of a file: `+` comes back, `-` is removed, `~` is changed. */
function mark({ change }: CheckpointFile): string {
  return change === 'added' ? '+' : change === 'removed' ? '-' : '~';
}

function noteOf({ again, blocked, change }: CheckpointFile): string {
  if (blocked !== null) return ` (left as it is: ${blocked})`;
  const notes = [...(change === 'mode' ? ['permissions'] : []), ...(again ? ['changed again since'] : [])];
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
