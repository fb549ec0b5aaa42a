// Takes out of the way what a fenced command made although it may not: files that would run something later, outside of the
// fence. A fence keeps what is there; a name that is not there yet cannot be kept from being made in a folder that may be
// written, so it is looked for afterwards and given another name, under which nothing looks for it. Nothing is deleted but
// files that git takes its configuration from.
import path from 'node:path';
import { isAppError } from '../base/app-error.ts';
import { removeMade } from './git-control.ts';
import { plantedSince, type GitState } from './git-plants.ts';
import { lookForSensitive, type SensitiveNames } from './sensitive-names.ts';
import { shownPath } from './shown-path.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';

/** What was there before a command. */
export interface Before {
  readonly names: SensitiveNames;
  /** Files that it must not leave behind: see removeMade. */
  readonly absent: readonly string[];
  readonly git: GitState;
}

/** Something that the command made, and what it is called now; null = it was taken away. */
interface Held {
  readonly made: string;
  readonly aside: string | null;
}

async function setAside(settings: BuiltinToolSettings, made: string): Promise<Held[]> {
  const aside = await settings.workspace.setAside(settings.workspace.parse(made));
  return aside === null ? [] : [{ made, aside }];
}

function describe(held: readonly Held[]): string {
  if (held.length === 0) return '';
  const parts = held.map(({ made, aside }) => {
    return aside === null ? `${shownPath(made)} (taken away)` : `${shownPath(made)} (now ${shownPath(aside)})`;
  });
  return `\n[It made ${parts.join(', ')}, by which programs could run outside of the confinement later. What needs it has to be asked for: with write_file, or unconfined.]`;
}

/** Holds back what a command made since `before`; gives a note for its result, empty when there was nothing. */
export async function holdBack(settings: BuiltinToolSettings, before: Before): Promise<string> {
  try {
    return describe(await hold(settings, before));
  } catch (error) {
    if (!isAppError(error)) throw error;
    // What the command said is worth more than a failure of this look, which must not stay unsaid either.
    return `\n[What it made could not be looked at: ${error.message} Look at the workspace before anything in it is run.]`;
  }
}

async function hold(settings: BuiltinToolSettings, before: Before): Promise<Held[]> {
  const root = settings.workspace.identity.path;
  const removed = removeMade(before.absent).map((file): Held => ({ made: path.relative(root, file), aside: null }));
  // Whoever stopped the command, what it left must be seen.
  const now = await lookForSensitive(settings, new AbortController().signal);
  const were = new Set(before.names.protected);
  const planted = plantedSince(
    now.gits.map((git) => path.join(root, git)),
    before.git,
  ).map((file) => path.relative(root, file));
  const all = [...new Set([...now.protected.filter((name) => !were.has(name)), ...planted])];
  const held: Held[] = [];
  // The deepest first: a folder takes along what is in it.
  for (const made of all.toSorted((a, b) => b.length - a.length)) held.push(...(await setAside(settings, made)));
  return [...removed, ...held];
}
