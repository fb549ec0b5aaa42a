// The argument list of bubblewrap for a fence: an allow-list view of the machine (system folders read-only, private
// /tmp, /run, /var and home, the workspace), no network unless asked for, own process namespace, no capabilities.
// Pure but for looking at what exists; the same list is used for the probe and for every command.
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/app-error.ts';
import { errnoOf } from '../workspace/door-error.ts';
import type { Fence } from './process-confiner.ts';

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix', '/sys'];
const KERNEL = ['sys', 'sysrq-trigger', 'irq', 'bus', 'acpi', 'mtrr', 'pressure', 'fs', 'scsi', 'driver'].map(
  (name) => `/proc/${name}`,
);
const PRIVATE = ['/tmp', '/run', '/var'];
/** More mounts than this make a fence that nobody can wait for. */
const MAX_MOUNTS = 2000;

function lstat(file: string): fs.Stats | null {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    // A parent that is a file.
    if (errnoOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** Whether it can be bound: a bind of what may not be read fails the whole fence. */
function isReadable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function systemView(): string[] {
  return SYSTEM.flatMap((folder) => {
    const stat = lstat(folder);
    if (stat === null) return [];
    return stat.isSymbolicLink() ? ['--symlink', fs.readlinkSync(folder), folder] : ['--ro-bind', folder, folder];
  });
}

/**
 * What the machine's own user may write in /proc without any capability, so for root the settings of the kernel: among them
 * which program it starts for a crash. Others may write none of it.
 */
function kernelView(): string[] {
  if (process.getuid?.() !== 0) return [];
  return KERNEL.filter((file) => lstat(file) !== null).flatMap((file) => ['--ro-bind', file, file]);
}

/** Name servers, where /etc/resolv.conf is a link into a folder that is private inside. */
function resolverView(): string[] {
  if (lstat('/etc/resolv.conf')?.isSymbolicLink() !== true) return [];
  const target = fs.realpathSync('/etc/resolv.conf');
  return PRIVATE.some((folder) => target.startsWith(`${folder}/`)) ? ['--ro-bind', target, target] : [];
}

/** The folders between the workspace and a file in it, the outermost first. */
function foldersAbove(root: string, file: string): string[] {
  const names = path.relative(root, path.dirname(file)).split(path.sep);
  if (names[0] === '' || names[0] === '..') return [];
  return names.map((_, index) => path.join(root, ...names.slice(0, index + 1)));
}

/** What is put over parts of the workspace: read-only files, and nothing where a secret is. */
function workspaceView(fence: Fence): string[] {
  const out: string[] = [];
  const sealed = fence.sealed ?? [];
  const parents = new Set([...fence.readOnly, ...sealed].flatMap((file) => foldersAbove(fence.root, file)));
  // A mount moves along with a parent that is renamed: as a mount point itself the parent cannot be.
  for (const parent of parents) {
    if (lstat(parent)?.isDirectory()) out.push('--bind', parent, parent);
  }
  for (const folder of sealed) if (lstat(folder) === null) out.push('--tmpfs', folder, '--remount-ro', folder);
  for (const file of fence.readOnly) {
    const stat = lstat(file);
    if (stat !== null && !stat.isSymbolicLink()) out.push('--ro-bind', file, file);
  }
  for (const file of fence.hidden) {
    const stat = lstat(file);
    if (stat?.isFile()) out.push('--ro-bind', '/dev/null', file);
    else if (stat?.isDirectory()) out.push('--tmpfs', file);
  }
  return out;
}

/** What the fence is built with: whether this bubblewrap can refuse nested user namespaces. */
export interface BwrapFeatures {
  readonly disableUserns: boolean;
}

/**
 * The arguments up to the command. `rootDescriptor` is the number under which the fence gets the workspace's descriptor
 * (it pins the folder); null = by path. process.confinement-failed when there are too many parts to hide.
 */
export function bwrapArguments(fence: Fence, features: BwrapFeatures, rootDescriptor: number | null): string[] {
  const bind = fence.writable ? '--bind' : '--ro-bind';
  const home = path.isAbsolute(fence.home) && fence.home !== '/' ? ['--tmpfs', fence.home] : [];
  const list = [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(fence.network ? [] : ['--unshare-net']),
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...(features.disableUserns ? ['--disable-userns'] : []),
    ...systemView(),
    ...['--dev', '/dev', '--proc', '/proc'],
    ...kernelView(),
    ...PRIVATE.flatMap((folder) => ['--tmpfs', folder]),
    ...['--dir', '/var/tmp', ...home],
    ...(fence.network ? resolverView() : []),
    ...fence.readable.filter(isReadable).flatMap((folder) => ['--ro-bind', folder, folder]),
    ...(rootDescriptor === null ? [bind, fence.root, fence.root] : [`${bind}-fd`, String(rootDescriptor), fence.root]),
    ...workspaceView(fence),
    ...['--chdir', fence.root],
  ];
  if (list.length > 3 * MAX_MOUNTS) {
    throw new AppError(
      'process.confinement-failed',
      'The workspace has too many likely secrets to hide them from a command. Narrow the workspace, or ask for unconfined.',
    );
  }
  return list;
}
