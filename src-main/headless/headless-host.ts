// The host of a run without a window: nothing to show, nothing to open.
import { AppError } from '../base/app-error.ts';
import type { AppHost, SecretStore } from '../app/host.ts';

/** A host that has no desktop around it. */
export function headlessHost(version: string, secrets: SecretStore): AppHost {
  const noWindow = (): Promise<never> => Promise.reject(new AppError('config.invalid', 'There is no window here.'));
  return {
    version,
    runtime: 'terminal',
    secrets,
    nativeFolderDialog: false,
    confirm: null,
    pickFolder: noWindow,
    openExternal: noWindow,
    openPath: noWindow,
    copyText: noWindow,
    setTitle: () => {},
    setTheme: () => {},
    isFocused: () => true,
    notify: () => {},
    ready: () => {},
  };
}
