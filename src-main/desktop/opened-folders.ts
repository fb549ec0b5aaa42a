// Folders that the system asks Warrant to open: at its start, by a second start that hands over, or from a file manager.
// Answers only which folder; opening it is the application's.
import { statSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';

const FLAG = '--folder=';

/** The folder that a command line names, absolute, or undefined. `plainArguments` are the ones a file manager gives. */
export function folderOf(argv: readonly string[], cwd: string, isPackaged: boolean): string | undefined {
  const flagged = argv.find((arg) => arg.startsWith(FLAG));
  if (flagged !== undefined) return path.resolve(cwd, flagged.slice(FLAG.length));
  // A packaged application is started with the folder alone; elsewhere a plain argument is the application's own folder.
  const plain = isPackaged ? argv.slice(1).find((arg) => !arg.startsWith('-')) : undefined;
  return plain === undefined ? undefined : path.resolve(cwd, plain);
}

/** The folder of this start, or undefined. */
export const startFolder = folderOf(process.argv, process.cwd(), app.isPackaged);

/** Folders that are asked for after the start. */
export interface LaterFolders {
  /** Calls `listener` for each, also for those that came before; undefined means only to come to the front. */
  onFolder(listener: (folder: string | undefined) => void): void;
}

/** Takes the single-instance lock; or hands the folder of this start over to the first instance and gives undefined. */
export function takeInstance(): LaterFolders | undefined {
  if (!app.requestSingleInstanceLock(startFolder === undefined ? {} : { folder: startFolder })) return undefined;
  const early: (string | undefined)[] = [];
  let tell = (folder: string | undefined): void => {
    early.push(folder);
  };
  app.on('second-instance', (_event, argv, cwd, additionalData) => {
    tell(handedOver(additionalData) ?? folderOf(argv, cwd, app.isPackaged));
  });
  // macOS tells of folders dropped on the icon and chosen in the Finder by an event.
  app.on('open-file', (event, place) => {
    event.preventDefault();
    tell(isFolder(place) ? place : path.dirname(place));
  });
  return {
    onFolder(listener) {
      tell = listener;
      for (const folder of early.splice(0)) listener(folder);
    },
  };
}

function handedOver(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('folder' in data)) return undefined;
  return typeof data.folder === 'string' ? data.folder : undefined;
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
