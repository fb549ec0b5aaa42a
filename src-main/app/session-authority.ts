// A session's authority in the app: what the settings give now, narrowed to what the session already had (an open chat is
// never widened by itself, CONF-18), and how the panel shows it.
import type { AuthorityChange, AuthoritySnapshot, Grant } from '../contract/authority.ts';
import { LIMIT_NAMES, LIMITS, type LimitName, type Limits } from '../contract/limits.ts';
import type { AuthorityView, ToolState } from '../contract/session.ts';
import type { Settings } from '../contract/settings.ts';
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
  const { session } = input;
  const status = input.confiner.status();
  return {
    snapshot: session.authority,
    digest: session.authorityDigest,
    generation: input.generation,
    tools: session.authority.tools.map((tool) => toToolState(tool.name, input, status.available)),
    confinement: { on: session.confinement, available: status.available, reason: status.reason },
    drift: input.drift,
    offer: input.offer,
    grants: session.grants,
    lapsedGrants: input.lapsedGrants,
    projectFile: input.projectFile && { lines: [...input.projectFile.lines], problem: input.projectFile.problem },
  };
}

function toToolState(name: string, input: AuthorityViewInput, confinable: boolean): ToolState {
  const { session, settings } = input;
  const declaration = session.authority.tools.find((tool) => tool.name === name);
  const toolClass = declaration?.class ?? 'read';
  const enabled = session.enabledTools.includes(name);
  const permission = permissionOf(settings, name);
  return {
    name,
    title: TOOL_TITLES[name] ?? name,
    class: toolClass,
    enabled,
    behaviour: behaviour({ session, toolClass, enabled, permission, confinable }),
    limits: limitWords(name, session.authority.limits),
  };
}

function behaviour(input: {
  session: Session;
  toolClass: ToolState['class'];
  enabled: boolean;
  permission: 'off' | 'ask' | 'allow';
  confinable: boolean;
}): ToolState['behaviour'] {
  const { session, toolClass } = input;
  if (!input.enabled || input.permission === 'off') return 'off';
  if (!isOffered(session.mode, toolClass)) return 'not-offered';
  const kinds = {
    read: 'read-inside',
    write: 'write-inside',
    command: input.confinable ? 'command' : 'command-unconfinable',
    network: 'network',
    clock: 'clock',
  } as const;
  const cell = cellOf(kinds[toolClass], session.mode, session.confinement);
  return cell === 'asks' && input.permission === 'allow' ? 'runs' : cell;
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
