// The jobs on files, one function each over a door, and their types. Whoever runs one on which thread is up to
// open-workspace: this file does not know.
import { planChange } from './plan-change.ts';
import { readExcerpts } from './excerpts.ts';
import type { Excerpt, Place } from './excerpts.ts';
import type { ChangePlan, ChangeRequest } from './plan-change.ts';
import { readPage } from './file-page.ts';
import type { FilePage, PageRange } from './file-page.ts';
import type { NewsReport, NewsRequest, TreeNews } from './tree-news.ts';
import { walkFolder } from './walk-folder.ts';
import type { FolderCache } from './folder-cache.ts';
import type { WalkOptions, WalkReport } from './walk-folder.ts';
import type { DoorPath, FileContent, FileVersion, Published, WorkspaceDoor } from './workspace-door.ts';

/** Input and output of each job, by name. */
export interface FilesJobs {
  read: { input: { path: DoorPath; maxBytes: number }; output: FileContent };
  page: { input: { path: DoorPath; range: PageRange }; output: FilePage };
  excerpts: { input: { path: DoorPath; places: readonly Place[]; characters: number }; output: Excerpt[] };
  plan: { input: { shown: string; base: Uint8Array | null; request: ChangeRequest }; output: ChangePlan };
  publish: { input: { path: DoorPath; bytes: Uint8Array; expected: FileVersion | null }; output: Published };
  walk: { input: { path: DoorPath; options: WalkOptions }; output: WalkReport };
  news: { input: NewsRequest; output: NewsReport };
  setAside: { input: { path: DoorPath }; output: string | null };
}
export type FilesJobName = keyof FilesJobs;

/** What a job may say while it runs, and what stays between jobs. */
export interface JobReporter {
  /** A path was found; false = stop. */
  found(path: string): boolean;
  /** Whether it should end. */
  isStopped(): boolean;
  readonly folders: FolderCache;
  readonly news: TreeNews;
}

type Runner<K extends FilesJobName> = (
  door: WorkspaceDoor,
  input: FilesJobs[K]['input'],
  reporter: JobReporter,
) => FilesJobs[K]['output'];

/** The jobs. All are synchronous and throw AppError. */
export const filesJobs: { readonly [K in FilesJobName]: Runner<K> } = {
  read: (door, { path, maxBytes }) => door.read(path, maxBytes),
  page: (door, { path, range }) => readPage(door, path, range),
  excerpts: (door, { path, ...options }) => readExcerpts(door, path, options),
  plan: (_door, { shown, base, request }) => planChange(shown, base, request),
  publish: (door, { path, bytes, expected }) => door.publish(path, bytes, expected),
  news: (_door, request, reporter) =>
    reporter.news.look(
      request,
      (text) => void reporter.found(text),
      () => reporter.isStopped(),
    ),
  setAside: (door, { path }) => door.setAside(path),
  walk: (door, { path, options }, reporter) => {
    const visit = (found: string): boolean => reporter.found(found);
    return walkFolder({ door, folders: reporter.folders, visit, isStopped: () => reporter.isStopped() }, path, options);
  },
};
