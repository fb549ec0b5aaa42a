// Stands in for Electron's `shell`: opens addresses and folders with the desktop's own programs, never through a shell.
import type Electron from 'electron';
import { HostError } from './host-error.ts';
import { findProgram, startDetached } from './system-command.ts';

/** Electron's `shell`, as far as it is used. Callers have checked the address. */
export const shell = {
  async openExternal(url: string): Promise<void> {
    if (!/^(https|mailto):/i.test(url)) throw new HostError('misuse', 'Only https and mailto addresses are opened');
    if (!(await openOutside(url)))
      throw new HostError('unavailable', 'This system has no program that opens addresses');
  },
  async openPath(target: string): Promise<string> {
    return (await openOutside(target)) ? '' : 'This system has no program that opens folders';
  },
} satisfies Pick<Electron.Shell, 'openExternal' | 'openPath'>;

async function openOutside(target: string): Promise<boolean> {
  if (process.platform === 'darwin') return startDetached('/usr/bin/open', [target]);
  if (process.platform === 'win32') return startDetached('rundll32.exe', ['url.dll,FileProtocolHandler', target]);
  const opener = findProgram(['xdg-open', 'gio']);
  if (!opener) return false;
  return startDetached(opener, opener.endsWith('gio') ? ['open', target] : [target]);
}
