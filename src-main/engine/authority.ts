// Resolves a configuration into the frozen authority snapshot, its digest, and the difference of two snapshots. The one
// path: createSession and resolveAuthority both come through here, so they can never disagree (AUTH-03).
import { AppError } from '../base/app-error.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import { sha256Hex } from '../base/digest.ts';
import type { AuthorityChange, AuthoritySnapshot, ToolDeclaration } from '../contract/authority.ts';
import { LIMIT_NAMES, LIMITS, type LimitName, type Limits } from '../contract/limits.ts';
import { checkTools } from './check-tools.ts';
import type { WorkspaceIdentity } from './ports.ts';

export interface AuthorityConfig {
  readonly workspace: WorkspaceIdentity;
  readonly tools: readonly ToolDeclaration[];
  /** Limits that differ from the defaults. */
  readonly limits: Partial<Limits>;
  /** Domain-separated digests of PATH and HOME as commands will see them. */
  readonly environment: { readonly path: string; readonly home: string };
}

export interface ResolvedAuthority {
  readonly snapshot: AuthoritySnapshot;
  /** sha256 of the snapshot's canonical JSON, 64 hex digits. */
  readonly digest: string;
}

const FILE_TOOLS: readonly string[] = ['read_file', 'list_directory', 'find_files', 'grep', 'write_file', 'edit_file'];

function resolveLimits(overrides: Partial<Limits>): Limits {
  const unknown = Object.keys(overrides).filter((name) => !Object.hasOwn(LIMITS, name));
  if (unknown.length > 0) throw new AppError('authority.invalid', `There is no limit named ${unknown.join(', ')}.`);
  const limits = {} as Record<LimitName, number>;
  for (const name of LIMIT_NAMES) {
    const value = overrides[name] ?? LIMITS[name].default;
    if (!Number.isFinite(value) || value < 0 || value > LIMITS[name].ceiling) {
      throw new AppError(
        'authority.invalid',
        `The limit ${name} is ${value}; it has to be between 0 and ${LIMITS[name].ceiling}.`,
        { details: { limit: name, value, ceiling: LIMITS[name].ceiling } },
      );
    }
    limits[name] = value;
  }
  return limits;
}

/** A workspace is known by the one spelling that its path has; whoever opened the folder knows it. */
function assertCanonical(path: string): void {
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');
  const [, ...inner] = path.split(/[\\/]/);
  const isPlain = inner.every((part, at) => part !== '.' && part !== '..' && (part !== '' || at === inner.length - 1));
  if (isAbsolute && (isPlain || path.startsWith('\\\\'))) return;
  throw new AppError('authority.invalid', `The workspace ${JSON.stringify(path)} is no canonical absolute path.`);
}

/**
 * The authority that a configuration gives. Throws authority.invalid for a path that is not canonical, a tool declared twice, a bad schema or a limit
 * above its ceiling. Nothing is read from the machine: the same configuration always gives the same digest.
 */
export async function resolveAuthority(config: AuthorityConfig): Promise<ResolvedAuthority> {
  assertCanonical(config.workspace.path);
  const limits = resolveLimits(config.limits);
  const tools = checkTools(config.tools, limits);
  const { path, dev, ino, guarantee } = config.workspace;
  const names = new Set(tools.filter((tool) => tool.builtin).map((tool) => tool.name));
  const snapshot: AuthoritySnapshot = {
    version: 1,
    workspace: { path, dev, ino, guarantee },
    tools,
    builtins: {
      files: FILE_TOOLS.some((name) => names.has(name)),
      shell: names.has('shell'),
      webFetch: names.has('web_fetch'),
      webSearch: names.has('web_search'),
      clock: names.has('datetime'),
    },
    limits,
    environment: names.has('shell') ? { ...config.environment } : { path: '', home: '' },
  };
  return { snapshot: deepFreeze(snapshot), digest: await sha256Hex(canonicalJson(snapshot)) };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}

/** What differs from `before` to `after`, part by part, in a stable order; empty when they are equal. */
export function compareAuthority(before: AuthoritySnapshot, after: AuthoritySnapshot): AuthorityChange[] {
  return [
    ...compareWorkspace(before, after),
    ...compareTools(before, after),
    ...compareLimits(before, after),
    ...compareEnvironment(before, after),
  ];
}

function altered(part: string, before: string, after: string, widens: boolean): AuthorityChange[] {
  return before === after ? [] : [{ change: 'altered', part, before, after, widens }];
}

function compareWorkspace(before: AuthoritySnapshot, after: AuthoritySnapshot): AuthorityChange[] {
  const identity = (s: AuthoritySnapshot): string => `device ${s.workspace.dev}, inode ${s.workspace.ino}`;
  return [
    ...altered('folder path', before.workspace.path, after.workspace.path, true),
    ...altered('folder identity', identity(before), identity(after), true),
    ...altered('folder guarantee', before.workspace.guarantee, after.workspace.guarantee, false),
  ];
}

function compareTools(before: AuthoritySnapshot, after: AuthoritySnapshot): AuthorityChange[] {
  const changes: AuthorityChange[] = [];
  const old = new Map(before.tools.map((tool) => [tool.name, tool]));
  const now = new Map(after.tools.map((tool) => [tool.name, tool]));
  for (const name of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    const a = old.get(name);
    const b = now.get(name);
    const part = `tool ${name}`;
    if (a && !b) changes.push({ change: 'removed', part, widens: false });
    else if (!a && b) changes.push({ change: 'added', part, widens: true });
    else if (a && b) {
      changes.push(...altered(`${part} cancellation`, a.cancellation, b.cancellation, false));
      if (canonicalJson({ ...a, cancellation: '' }) !== canonicalJson({ ...b, cancellation: '' })) {
        changes.push({
          change: 'altered',
          part,
          before: 'its declaration',
          after: 'another declaration',
          widens: true,
        });
      }
    }
  }
  return changes;
}

function compareLimits(before: AuthoritySnapshot, after: AuthoritySnapshot): AuthorityChange[] {
  return LIMIT_NAMES.flatMap((name) => {
    const a = before.limits[name];
    const b = after.limits[name];
    const none = 'noneAllowed' in LIMITS[name];
    const widens = none ? (b === 0 && a !== 0) || (a !== 0 && b > a) : b > a;
    return altered(`limit ${name}`, String(a), String(b), widens);
  });
}

function compareEnvironment(before: AuthoritySnapshot, after: AuthoritySnapshot): AuthorityChange[] {
  return [
    ...altered('PATH of commands', before.environment.path, after.environment.path, true),
    ...altered('HOME of commands', before.environment.home, after.environment.home, true),
  ];
}
