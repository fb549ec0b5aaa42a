// Opens the store of a data folder: over workers for the window, so that drawing never waits for the disk; in this thread
// for the command, where that starts faster.
import type { Store } from '../store/store.ts';
import { withUnsavedChats } from './unsaved-store.ts';

export interface OpenDataStore {
  /** The data folder; it exists. */
  readonly folder: string;
  readonly thread: 'worker' | 'own';
  /** Moves a damaged database aside and begins a new one. */
  readonly startFresh?: boolean;
}

/** A store in memory, for chats that are not saved. */
export async function openMemoryStore(thread: OpenDataStore['thread']): Promise<Store> {
  const options = { folder: '', inMemory: true };
  if (thread === 'own') return (await import('../store/open-store.ts')).openStore(options);
  return (await import('../store/store-client.ts')).openStoreWorker(options);
}

/** The store of a data folder for reading alone, in this thread; nothing is made. Codes store.*. */
export async function openToRead(folder: string): Promise<Store> {
  return (await import('../store/open-store.ts')).openStore({ folder, readOnly: true });
}

/** The store, with a place in memory for chats that are not saved. Codes store.damaged, store.newer-version, store.locked, store.read-only, store.disk-full, store.io. */
export async function openDataStore({ folder, thread, startFresh = false }: OpenDataStore): Promise<Store> {
  const saved =
    thread === 'own'
      ? await (await import('../store/open-store.ts')).openStore({ folder, startFresh })
      : await (await import('../store/store-client.ts')).openStoreWorker({ folder, startFresh });
  return withUnsavedChats(saved, () => openMemoryStore(thread));
}
