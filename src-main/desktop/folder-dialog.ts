// The system's folder dialog. Where the system has none, the window shows its own chooser.
import { dialog } from 'electron';

/** The Chromium host's dialog can say that the system has none. */
type HostDialog = typeof dialog & { hasNativeDialogs?: () => boolean };

/** True when `pickFolder` has a dialog to show. Electron always has; the Chromium host says so. */
export function hasFolderDialog(): boolean {
  return (dialog as HostDialog).hasNativeDialogs?.() ?? true;
}

/** Absolute path of the chosen folder; null when cancelled, or when the system turned out to have no dialog. */
export async function pickFolder(window: Electron.BaseWindow | undefined): Promise<string | null> {
  if (!hasFolderDialog()) return null;
  const options = { title: 'Open folder', properties: ['openDirectory' as const, 'createDirectory' as const] };
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options));
  return canceled ? null : (filePaths[0] ?? null);
}
