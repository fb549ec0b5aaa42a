// The system's folder dialog. Where the system has none, the window shows its own chooser.
import { dialog } from 'electron';
import { AppError } from '../base/app-error.ts';

/** The Chromium host's dialog can say that the system has none. */
type HostDialog = typeof dialog & { hasNativeDialogs?: () => boolean };

/** True when `pickFolder` has a dialog to show. Electron always has; the Chromium host says so. */
export function hasFolderDialog(): boolean {
  return (dialog as HostDialog).hasNativeDialogs?.() ?? true;
}

/** Absolute path of the chosen folder; null when cancelled. Code config.invalid when the system's dialog does not work. */
export async function pickFolder(window: Electron.BaseWindow | undefined): Promise<string | null> {
  const options = { title: 'Open folder', properties: ['openDirectory' as const, 'createDirectory' as const] };
  try {
    const shown = window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options);
    const { canceled, filePaths } = await shown;
    return canceled ? null : (filePaths[0] ?? null);
  } catch (cause) {
    throw new AppError(
      'config.invalid',
      "The system's folder dialog did not open. Drop the folder on the window, or start Warrant with its path.",
      { cause },
    );
  }
}
