// The keychain of the system, through Electron. On Linux without a password manager Electron would seal with a fixed
// password: that is no keychain, and the application's own file protection is used and named instead.
import { safeStorage } from 'electron';
import type { Keychain } from '../app/secret-store.ts';

/** The keychain, or undefined where there is none. Call after the application is ready. */
export async function findKeychain(): Promise<Keychain | undefined> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return undefined;
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return undefined;
  return {
    seal: (text) => safeStorage.encryptStringAsync(text),
    open: async (sealed) => (await safeStorage.decryptStringAsync(sealed)).result,
  };
}
