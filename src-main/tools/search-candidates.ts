// Runs ripgrep over a folder or a file and gathers where it found something, stopping as soon as there is enough. What it
// answers are only places: the caller reads them again through the door.
import path from 'node:path';
import { AppError } from '../base/app-error.ts';
import { globalIgnoreFiles } from './global-ignore.ts';
import { childEnvironment } from './process/child-environment.ts';
import { sealDescriptors } from './process/seal-descriptors.ts';
import type { FencedCommand, ProcessCommand } from './process/process-confiner.ts';
import { RgHitReader } from './process/rg-hits.ts';
import type { RgHit } from './process/rg-hits.ts';
import { runProcess } from './process/run-process.ts';
import type { ProcessOutcome } from './process/run-process.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';
import type { Place } from './workspace/excerpts.ts';
import type { DoorPath } from './workspace/workspace-door.ts';

export interface SearchRequest {
  readonly at: DoorPath;
  readonly pattern: string;
  readonly glob: string | null;
  readonly ignoreCase: boolean;
  /** Places to find at most. */
  readonly limit: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly accepts: (at: DoorPath) => boolean;
}

/** A file with places in rising order. */
export interface CandidateFile {
  readonly at: DoorPath;
  readonly places: readonly Place[];
}

export interface Candidates {
  /** By path. */
  readonly files: readonly CandidateFile[];
  readonly more: boolean;
  readonly notes: readonly string[];
}

/** Where ripgrep starts: its folder, and the path that it is given there. */
interface Start {
  readonly folder: DoorPath;
  readonly target: string;
}

async function startOf(settings: BuiltinToolSettings, at: DoorPath): Promise<Start> {
  const state = await settings.workspace.stat(at);
  if (state === null) throw new AppError('workspace.not-found', `${at.shown} does not exist.`);
  if (state.type === 'link') {
    throw new AppError(
      'workspace.is-link',
      `${at.shown} is a link, and links are never followed. Use what it stands for.`,
    );
  }
  if (at.base === 'root') {
    return { folder: settings.workspace.parse('.'), target: at.parts.length === 0 ? '.' : `./${at.parts.join('/')}` };
  }
  if (state.type === 'folder') return { folder: at, target: '.' };
  const parts = at.parts.slice(0, -1);
  return { folder: { base: at.base, parts, shown: `/${parts.join('/')}` }, target: `./${at.parts.at(-1) ?? ''}` };
}

/** A glob that ripgrep may use as well: a plain one on names. Given as a file type, it leaves ignore rules in force. */
const typeArguments = (glob: string | null): string[] =>
  glob !== null && /^[\w.*?-]+$/.test(glob) ? ['--type-add', `wanted:${glob}`, '--type', 'wanted'] : [];

function rgArguments(request: SearchRequest, target: string): string[] {
  return [
    ...['--no-config', '--no-follow', '--hidden', '--glob=!.git', '--no-require-git', '--no-ignore-dot'],
    ...['--null', '--line-number', '--column', '--no-heading', '--with-filename', '--color=never', '--crlf'],
    ...['--max-columns=1', `--max-count=${request.limit + 1}`, '--no-messages'],
    ...(request.ignoreCase ? ['--ignore-case'] : []),
    ...typeArguments(request.glob),
    ...['--regexp', request.pattern, '--', target],
  ];
}

async function loadRipgrep(): Promise<string> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    // Inside a packaged app programs lie beside the archive, not in it.
    return rgPath.replace(/([\\/])app\.asar([\\/])/, '$1app.asar.unpacked$2');
  } catch (error) {
    throw new AppError('process.spawn-failed', 'ripgrep is not installed for this system, so grep cannot search.', {
      cause: error,
    });
  }
}

/** ripgrep inside a fence that shows the folder alone, where this machine has one. */
async function fenced(
  settings: BuiltinToolSettings,
  command: ProcessCommand,
  folder: DoorPath,
): Promise<ProcessCommand | FencedCommand> {
  if (!(await settings.confiner.probe()).available) return command;
  const { home } = settings.process;
  const { config, ignore } = globalIgnoreFiles(home);
  const inside = folder.base === 'root';
  return settings.confiner.wrap(command, {
    root: inside ? settings.workspace.identity.path : folder.shown,
    rootDescriptor: inside ? settings.workspace.rootDescriptor : null,
    writable: false,
    network: false,
    home,
    readable: [path.dirname(command.program), config, ignore],
    readOnly: [],
    hidden: [],
  });
}

/** Collects accepted hits by file until there are enough. */
class Collector {
  readonly #request: SearchRequest;
  readonly #toPath: (path: string) => DoorPath;
  readonly #files = new Map<string, { at: DoorPath; places: Place[] } | null>();
  count = 0;
  oddNames = 0;
  readonly enough = new AbortController();

  constructor(request: SearchRequest, toPath: (path: string) => DoorPath) {
    this.#request = request;
    this.#toPath = toPath;
  }

  take(hit: RgHit): void {
    if (hit.path === null) {
      this.oddNames += 1;
      return;
    }
    const file = this.#fileOf(hit.path);
    if (file === null) return;
    if (this.count >= this.#request.limit) {
      this.enough.abort();
      return;
    }
    this.count += 1;
    file.places.push({ line: hit.line, column: hit.column });
  }

  files(): CandidateFile[] {
    const files = [...this.#files.values()].filter((file) => file !== null && file.places.length > 0);
    return files.filter((file) => file !== null).sort((a, b) => (a.at.shown < b.at.shown ? -1 : 1));
  }

  #fileOf(name: string): { at: DoorPath; places: Place[] } | null {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const at = this.#toPath(name);
    const file = this.#request.accepts(at) ? { at, places: [] } : null;
    this.#files.set(name, file);
    return file;
  }
}

/** The path of a name that ripgrep gave, below the folder that it started in. */
function below(folder: DoorPath): (name: string) => DoorPath {
  return (name) => {
    const parts = [...folder.parts, ...name.split('/')];
    return { base: folder.base, parts, shown: folder.base === 'root' ? parts.join('/') : `/${parts.join('/')}` };
  };
}

function assertSearched(outcome: ProcessOutcome, enough: boolean): void {
  if (outcome.type !== 'started')
    throw new AppError('process.spawn-failed', `The search could not start: ${outcome.reason}`);
  if (outcome.stopped === 'timeout') throw new AppError('tool.timed-out', 'The search took too long. Narrow it.');
  if (enough || outcome.exitCode === 0 || outcome.exitCode === 1 || outcome.stopped === 'cancelled') return;
  const said = outcome.output.head.toString('utf8').trim();
  // Unreadable files give this exit code too, without a word.
  if (said !== '') throw new AppError('tool.failed', said.slice(0, 2000));
}

/** Searches. workspace.*, tool.failed for a bad pattern, tool.timed-out, process.spawn-failed. */
export async function searchCandidates(settings: BuiltinToolSettings, request: SearchRequest): Promise<Candidates> {
  await sealDescriptors();
  const { folder, target } = await startOf(settings, request.at);
  const plain: ProcessCommand = { program: await loadRipgrep(), arguments: rgArguments(request, target) };
  const collector = new Collector(request, below(folder));
  const reader = new RgHitReader((hit) => collector.take(hit));
  const pinned = folder.base === 'root' && process.platform === 'linux' ? settings.workspace.rootDescriptor : null;
  const cwd = folder.base === 'root' ? settings.workspace.identity.path : folder.shown;
  const run = (command: ProcessCommand | FencedCommand): Promise<ProcessOutcome> =>
    runProcess({
      command,
      cwd: pinned === null || 'descriptors' in command ? cwd : `/proc/self/fd/${pinned}`,
      environment: childEnvironment(settings.process),
      timeoutMs: request.timeoutMs,
      signal: AbortSignal.any([request.signal, collector.enough.signal]),
      capture: { headBytes: 4096, tailBytes: 0, spillBytes: 0, spillFolder: '', spillId: '' },
      tell: () => {},
      readOutput: (chunk) => reader.push(chunk),
    });
  let outcome = await run(await fenced(settings, plain, folder));
  // The program is our own, so a fence that fails is a loss of depth only: the lines are read through the door anyway.
  if (outcome.type === 'fence-failed') outcome = await run(plain);
  assertSearched(outcome, collector.enough.signal.aborted);
  const odd = collector.oddNames > 0 ? ['[Matches in files whose names are no UTF-8 are left out.]'] : [];
  return { files: collector.files(), more: collector.enough.signal.aborted, notes: odd };
}
