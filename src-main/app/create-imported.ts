// Makes a chat of a file, piece by piece and without loading it. It is in no list until all of it is stored, and where that is
// not done nothing of it is left.
import { newId } from '../base/new-id.ts';
import type { ProjectId, SessionId } from '../contract/ids.ts';
import type { LeaseHolder } from '../store/store.ts';
import type { AppContext } from './app-context.ts';
import { beginChat } from './begin-chat.ts';

/** Stores what a chat is made of; `lease` holds it meanwhile. */
export type FillImported = (id: SessionId, lease: LeaseHolder) => Promise<void>;

/** Gives the chat's id. Codes project.gone, store.*, and what `fill` gives. */
export async function createImported(
  context: AppContext,
  input: { readonly projectId: ProjectId; readonly projectPath: string; readonly lease: LeaseHolder },
  fill: FillImported,
): Promise<SessionId> {
  const { store } = context;
  const { projectId, projectPath, lease } = input;
  const id = newId<SessionId>();
  const entries = await beginChat(context, { id, projectPath, saved: true });
  await store.createSession({ id, projectId, lease, entries, importing: true });
  try {
    await fill(id, lease);
    await store.finishImport(id);
  } catch (error) {
    await store.dropImport(id);
    throw error;
  }
  await store.release(id, lease.pid);
  return id;
}
