// Opens a folder as a workspace: pins it, and offers the door's jobs to the tools. Small reads run here at once; mutations,
// walks and whatever is larger than 64 KiB go to the files worker. Nothing native is loaded before the first file.
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/app-error.ts';
import type { WorkspaceIdentity } from '../../engine/ports.ts';
import { errnoOf } from './door-error.ts';
import { parseDoorPath } from './door-path.ts';
import { FilesClient } from './files-client.ts';
import { bestGuarantee, loadDoor } from './load-door.ts';
import type { DoorSource } from './load-door.ts';
import { readExcerpts } from './excerpts.ts';
import type { Excerpt, Place } from './excerpts.ts';
import { readSmallPage } from './file-page.ts';
import type { FilePage, PageRange } from './file-page.ts';
import { planChange } from './plan-change.ts';
import type { ChangePlan, ChangeRequest } from './plan-change.ts';
import { readNews, type FolderNews, type NewsReport, type NewsRequest } from './tree-news.ts';
import type { WalkOptions, WalkReport } from './walk-folder.ts';
import type {
  DoorGuarantee,
  DoorPath,
  FileContent,
  FileVersion,
  FolderEntry,
  PathState,
  Published,
  Swept,
  WorkspaceDoor,
} from './workspace-door.ts';

/** Above this, work goes to the worker. */
const INLINE_BYTES = 64 * 1024;

/** An opened folder. Paths are DoorPaths; every method rejects with workspace.* errors. */
export interface Workspace {
  readonly identity: WorkspaceIdentity;
  /** Descriptor of the folder, for processes that start in it; null where folders cannot be held open. */
  readonly rootDescriptor: number | null;
  /** Reads a path as it was written; looks at nothing on disk. workspace.invalid-path. */
  parse(text: string): DoorPath;
  read(at: DoorPath, maxBytes: number): Promise<FileContent>;
  readPage(at: DoorPath, range: PageRange): Promise<FilePage>;
  /** Lines at places, in rising order; see readExcerpts. */
  readExcerpts(at: DoorPath, places: readonly Place[], characters: number): Promise<Excerpt[]>;
  list(at: DoorPath): Promise<FolderEntry[]>;
  stat(at: DoorPath): Promise<PathState | null>;
  /** Removes what a cut publish left beside a file; see WorkspaceDoor.sweep. Nothing when its folder is not there. */
  sweep(at: DoorPath, base: string | null): Promise<Swept>;
  /** Works out a change; see planChange. */
  plan(shown: string, base: Uint8Array | null, request: ChangeRequest): Promise<ChangePlan>;
  /** Puts bytes there; see WorkspaceDoor.publish. Once begun it ends, whatever is aborted meanwhile. */
  publish(at: DoorPath, bytes: Uint8Array, expected: FileVersion | null): Promise<Published>;
  /** Walks a tree; `found` gets batches of paths and answers false when it has enough. */
  walk(at: DoorPath, options: WalkOptions, hear: WalkHearer): Promise<WalkReport>;
  /** Tells which folders have other names than at the look before; see TreeNews. */
  news(request: NewsRequest, hear: { signal: AbortSignal; tell: (news: FolderNews) => void }): Promise<NewsReport>;
  /** Renames what must not be found; see WorkspaceDoor.setAside. */
  setAside(at: DoorPath): Promise<string | null>;
  /** Ends the worker after what it is doing, and lets the folder go; every later call rejects. Any number of times. */
  close(): Promise<void>;
}

export interface WalkHearer {
  readonly signal: AbortSignal;
  readonly found: (paths: readonly string[]) => boolean;
}

/** `guarantee` asks for a weaker form than the machine's best. */
export interface OpenOptions {
  readonly guarantee?: DoorGuarantee;
}

class OpenedWorkspace implements Workspace {
  readonly identity: WorkspaceIdentity;
  readonly #roots: readonly string[];
  readonly #source: DoorSource;
  readonly #files: FilesClient;
  #door: Promise<WorkspaceDoor> | null = null;
  #closing: Promise<void> | null = null;

  constructor(identity: WorkspaceIdentity, source: DoorSource, roots: readonly string[]) {
    this.identity = identity;
    this.#source = source;
    this.#roots = roots;
    this.#files = new FilesClient(source);
  }

  get rootDescriptor(): number | null {
    this.#assertOpen();
    return this.#source.rootDescriptor;
  }

  parse(text: string): DoorPath {
    return parseDoorPath(text, { roots: this.#roots, platform: process.platform });
  }

  async read(at: DoorPath, maxBytes: number): Promise<FileContent> {
    const door = await this.#loaded();
    if (this.#isSmall(door, at)) return door.read(at, maxBytes);
    const { bytes, version } = await this.#files.run('read', { path: at, maxBytes });
    return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), version };
  }

  async readPage(at: DoorPath, range: PageRange): Promise<FilePage> {
    const door = await this.#loaded();
    // Opened once: whether it is small enough for this thread is seen on what was opened.
    const page = readSmallPage(door, at, { range, mostBytes: INLINE_BYTES });
    return page ?? this.#files.run('page', { path: at, range });
  }

  async readExcerpts(at: DoorPath, places: readonly Place[], characters: number): Promise<Excerpt[]> {
    const door = await this.#loaded();
    if (!this.#isSmall(door, at)) return this.#files.run('excerpts', { path: at, places, characters });
    return readExcerpts(door, at, { places, characters });
  }

  async list(at: DoorPath): Promise<FolderEntry[]> {
    return (await this.#loaded()).list(at);
  }

  async stat(at: DoorPath): Promise<PathState | null> {
    return (await this.#loaded()).stat(at);
  }

  async sweep(at: DoorPath, base: string | null): Promise<Swept> {
    const door = await this.#loaded();
    try {
      return door.sweep(at, base);
    } catch (error) {
      if (error instanceof AppError && error.code === 'workspace.not-found') return { removed: 0, kept: [] };
      throw error;
    }
  }

  async plan(shown: string, base: Uint8Array | null, request: ChangeRequest): Promise<ChangePlan> {
    this.#assertOpen();
    const size = (base?.length ?? 0) + (request.type === 'content' ? request.content.length : 0);
    if (size > INLINE_BYTES) return this.#files.run('plan', { shown, base, request });
    return planChange(shown, base, request);
  }

  async publish(at: DoorPath, bytes: Uint8Array, expected: FileVersion | null): Promise<Published> {
    this.#assertOpen();
    return this.#files.run('publish', { path: at, bytes, expected });
  }

  async walk(at: DoorPath, options: WalkOptions, hear: WalkHearer): Promise<WalkReport> {
    this.#assertOpen();
    return this.#files.run('walk', { path: at, options }, hear);
  }

  async news(
    request: NewsRequest,
    hear: { signal: AbortSignal; tell: (news: FolderNews) => void },
  ): Promise<NewsReport> {
    this.#assertOpen();
    const found = (texts: readonly string[]): boolean => {
      for (const text of texts) hear.tell(readNews(text));
      return true;
    };
    return this.#files.run('news', request, { signal: hear.signal, found });
  }

  async setAside(at: DoorPath): Promise<string | null> {
    this.#assertOpen();
    return this.#files.run('setAside', { path: at });
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await this.#files.close();
    if (this.#door !== null) (await this.#door.catch(() => null))?.close();
    if (this.#source.rootDescriptor !== null) fs.closeSync(this.#source.rootDescriptor);
  }

  /** The number of a closed descriptor may be another folder's by now: nothing may use it any more. */
  #assertOpen(): void {
    if (this.#closing === null) return;
    throw new AppError('workspace.io', 'The workspace is closed. Open the project again.');
  }

  async #loaded(): Promise<WorkspaceDoor> {
    this.#assertOpen();
    this.#door ??= loadDoor(this.#source);
    const door = await this.#door;
    this.#assertOpen();
    return door;
  }

  /** Whether a file is small enough for this thread; also true when it is not there, so that the read says so. */
  #isSmall(door: WorkspaceDoor, at: DoorPath): boolean {
    const state = door.stat(at);
    return state?.type !== 'file' || state.size <= INLINE_BYTES;
  }
}

function cannotOpen(folder: string, error: unknown): AppError {
  const errno = errnoOf(error);
  const details = { path: folder, errno };
  if (errno === 'ENOENT') {
    return new AppError('project.not-found', `${folder} does not exist. Choose another folder.`, {
      details,
      cause: error,
    });
  }
  if (errno === 'ENOTDIR') {
    return new AppError('project.not-a-folder', `${folder} is not a folder.`, { details, cause: error });
  }
  if (errno === 'EACCES' || errno === 'EPERM') {
    return new AppError('project.no-permission', `${folder} may not be opened: permission denied.`, {
      details,
      cause: error,
    });
  }
  return new AppError('workspace.io', `${folder} could not be opened (${errno || 'unknown error'}).`, {
    details,
    cause: error,
  });
}

/** Pins the folder and proves that its canonical path still names it. Gives the descriptor and the identity. */
function pin(canonical: string, guarantee: DoorGuarantee): { descriptor: number | null; dev: string; ino: string } {
  if (guarantee === 'checked') {
    const stat = fs.statSync(canonical, { bigint: true });
    return { descriptor: null, dev: String(stat.dev), ino: String(stat.ino) };
  }
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants;
  const descriptor = fs.openSync(canonical, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const stat = fs.fstatSync(descriptor, { bigint: true });
  return { descriptor, dev: String(stat.dev), ino: String(stat.ino) };
}

/**
 * Opens a folder as a workspace. `folder` may be relative or reached through links; what it stands for is found once and
 * pinned. project.not-found, project.not-a-folder, project.no-permission.
 */
export async function openWorkspace(folder: string, options: OpenOptions = {}): Promise<Workspace> {
  const guarantee = options.guarantee ?? bestGuarantee();
  const asked = path.resolve(folder);
  try {
    const canonical = fs.realpathSync.native(asked);
    if (!fs.statSync(canonical).isDirectory()) {
      throw new AppError('project.not-a-folder', `${folder} is not a folder.`, { details: { path: folder } });
    }
    fs.accessSync(canonical, fs.constants.R_OK | fs.constants.X_OK);
    const { descriptor, dev, ino } = pin(canonical, guarantee);
    const identity: WorkspaceIdentity = { path: canonical, dev, ino, guarantee };
    const source = { guarantee, rootPath: canonical, rootDescriptor: descriptor };
    return new OpenedWorkspace(identity, source, [canonical, asked]);
  } catch (error) {
    throw error instanceof AppError ? error : cannotOpen(folder, error);
  }
}
