// Stands in for Electron's `safeStorage`: the browser's keychain is out of reach, so encryption is not available here and
// the application keeps secrets by its own means, saying how well they are protected.
import type Electron from 'electron';
import { HostError } from './host-error.ts';

function unavailable(): Promise<never> {
  return Promise.reject(new HostError('unavailable', 'This runtime has no access to the keychain of the system'));
}

/** Electron's `safeStorage`, as far as it is used. */
export const safeStorage = {
  isAsyncEncryptionAvailable: () => Promise.resolve(false),
  getSelectedStorageBackend: () => 'unknown' as const,
  encryptStringAsync: (_text: string): Promise<Buffer> => unavailable(),
  decryptStringAsync: (_encrypted: Buffer): Promise<Electron.DecryptStringAsyncReturnValue> => unavailable(),
} satisfies Pick<
  Electron.SafeStorage,
  'isAsyncEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptStringAsync' | 'decryptStringAsync'
>;
