// Stands in for Electron's `dialog`: folders only, through native-chooser.ts. Never asks in the page: where the system has
// no dialog it rejects with HostError `unavailable`, and the application shows its own chooser.
import type Electron from 'electron';
import { HostError } from './host-error.ts';
import { chooseFolder, hasFolderChooser } from './native-chooser.ts';

type OpenArguments = [Electron.BaseWindow, Electron.OpenDialogOptions] | [Electron.OpenDialogOptions];

/** Electron's `dialog`, as far as it is used. `hasNativeDialogs` is the host's own. */
export const dialog = {
  async showOpenDialog(...args: OpenArguments): Promise<Electron.OpenDialogReturnValue> {
    const options = args.length === 2 ? args[1] : args[0];
    if (!options.properties?.includes('openDirectory'))
      throw new HostError('misuse', 'Only folders can be chosen here');
    const folder = await chooseFolder({ title: options.title ?? 'Open folder', folder: options.defaultPath ?? '' });
    if (folder === undefined) throw new HostError('unavailable', 'This system has no folder dialog');
    return folder === null ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [folder] };
  },
  showErrorBox(title: string, content: string): void {
    console.error(`${title}: ${content}`);
  },
  hasNativeDialogs: hasFolderChooser,
} satisfies Pick<Electron.Dialog, 'showOpenDialog' | 'showErrorBox'> & { hasNativeDialogs(): boolean };
