// A session's authority in the app: what the settings give now, narrowed to what the session already had (an open chat is
// never widened by itself, CONF-18), and how the panel shows it.
import type { AuthorityChange, AuthoritySnapshot, Grant, Mode } from '../contract/authority.ts';
import { LIMIT_NAMES, LIMITS, type LimitName, type Limits } from '../contract/limits.ts';
import type { AuthorityView, ToolState } from '../contract/session.ts';
import type { Settings, ToolPermission } from '../contract/settings.ts';
import type { Confiner, Tool } from '../engine/ports.ts';
import { cellOf } from '../engine/decision-table.ts';
import { isOffered } from '../engine/modes.ts';
import type { Session } from '../engine/session.ts';
import type { ProjectFile } from './project-file.ts';
import { permissionOf, TOOL_TITLES } from './tool-permissions.ts';

/** Limits as the settings have them. */
export function settingLimits(settings: Settings): Partial<Limits> {
  return Object.fromEntries(Object.entries(settings.limits).filter(([, value]) => value !== undefined));
}

/** The lower of two values of one limit; 0 means none where none is allowed. */
export function lowerLimit(name: LimitName, a: number, b: number): number {
  if ('noneAllowed' in LIMITS[name]) {
    if (a === 0) return b;
    if (b === 0) return a;
  }
  return Math.min(a, b);
}

/** What a session is built with: all that the settings give when it is new, at most what it had when it goes on. */
export function narrowTo(
  before: AuthoritySnapshot | null,
  now: { tools: readonly Tool[]; limits: Partial<Limits> },
): { tools: Tool[]; limits: Partial<Limits> } {
  if (!before) return { tools: [...now.tools], limits: now.limits };
  const had = new Set(before.tools.map((tool) => tool.name));
  const limits: Partial<Record<LimitName, number>> = {};
  for (const name of LIMIT_NAMES)
    limits[name] = lowerLimit(name, before.limits[name], now.limits[name] ?? LIMITS[name].default);
  return { tools: now.tools.filter((tool) => had.has(tool.declaration.name)), limits };
}

export interface AuthorityViewInput {
  readonly session: Session;
  readonly settings: Settings;
  readonly confiner: Confiner;
  readonly generation: number;
  readonly drift: AuthorityChange[];
  readonly offer: AuthorityChange[];
  readonly lapsedGrants: Grant[];
  readonly projectFile: ProjectFile | null;
}

/** What the authority panel shows. */
export function toAuthorityView(input: AuthorityViewInput): AuthorityView {
  const { session, settings } = input;
  const status = input.confiner.status();
  const { mode, enabledTools, confinement } = session;
  return {
    snapshot: session.authority,
    digest: session.authorityDigest,
    generation: input.generation,
    tools: toToolStates({
      ...{ snapshot: session.authority, mode, enabledTools, confinement },
      ...{ settings, confinable: status.available },
    }),
    confinement: { on: session.confinement, available: status.available, reason: status.reason },
    drift: input.drift,
    offer: input.offer,
    grants: session.grants,
    lapsedGrants: input.lapsedGrants,
    projectFile: input.projectFile && { lines: [...input.projectFile.lines], problem: input.projectFile.problem },
  };
}

/** What decides how each tool of a chat behaves. */
export interface ToolStatesInput {
  readonly snapshot: AuthoritySnapshot;
  readonly mode: Mode;
  readonly enabledTools: readonly string[];
  readonly confinement: boolean;
  readonly settings: Settings;
  /** Commands can be confined on this machine. */
  readonly confinable: boolean;
}

/** Each tool of the snapshot, in its order, and what a plain call of it would do. */
export function toToolStates(input: ToolStatesInput): ToolState[] {
  const { snapshot, enabledTools, settings } = input;
  return snapshot.tools.map(({ name, class: toolClass }) => {
    const enabled = enabledTools.includes(name);
    const off = !enabled || permissionOf(settings, name) === 'off';
    return {
      name,
      title: TOOL_TITLES[name] ?? name,
      class: toolClass,
      enabled,
      behaviour: off ? 'off' : behaviour(input, toolClass, permissionOf(settings, name)),
      limits: limitWords(name, snapshot.limits),
    };
  });
}

function behaviour(
  { mode, confinement, confinable }: ToolStatesInput,
  toolClass: ToolState['class'],
  permission: ToolPermission,
): ToolState['behaviour'] {
  if (!isOffered(mode, toolClass)) return 'not-offered';
  const kinds = {
    read: 'read-inside',
    write: 'write-inside',
    command: confinable ? 'command' : 'command-unconfinable',
    network: 'network',
    clock: 'clock',
  } as const;
  const cell = cellOf(kinds[toolClass], mode, confinement);
  return cell === 'asks' && permission === 'allow' ? 'runs' : cell;
}

function limitWords(name: string, limits: Limits): string[] {
  const kib = (bytes: number): string => `${String(Math.round(bytes / 1024))} KiB`;
  const seconds = (ms: number): string =>
    ms >= 60_000 ? `${String(Math.round(ms / 6_000) / 10)} min` : `${String(ms / 1000)} s`;
  switch (name) {
    case 'read_file':
      return [`${String(limits.readLines)} lines`, `${String(Math.round(limits.readCharacters / 1024))} K characters`];
    case 'grep':
    case 'find_files':
    case 'list_directory':
      return [`${String(limits.searchResults)} results`];
    case 'write_file':
    case 'edit_file':
      return ['keeps line ends', 'refuses stale files'];
    case 'shell':
      return [seconds(limits.shellTimeoutMs), kib(limits.shellOutputHeadBytes + limits.shellOutputTailBytes)];
    case 'web_fetch':
      return [seconds(limits.webTimeoutMs), kib(limits.webResponseBytes)];
    default:
      return [];
  }
}
