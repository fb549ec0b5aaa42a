// Whether a chat's folder is still the one that was opened. The opened descriptor goes on working after the folder was
// moved or deleted, so that without this look a turn would work in a folder that nobody sees.
import { AppError } from '../base/app-error.ts';
import type { AuthoritySnapshot } from '../contract/authority.ts';
import { inspectFolder, shownPath } from './projects-service.ts';

/** Returns when the path names the folder with the snapshot's identity. Code project.gone says what is there instead. */
export async function assertSameFolder(workspace: AuthoritySnapshot['workspace']): Promise<void> {
  const now = await inspectFolder(workspace.path).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : '';
    throw new AppError('project.gone', `${reason} Nothing was sent. Put the folder back, or open it where it is now.`, {
      cause,
    });
  });
  if (now.dev === workspace.dev && now.ino === workspace.ino) return;
  throw new AppError(
    'project.gone',
    `${shownPath(workspace.path)} is another folder now than the one that this chat opened. Nothing was sent. Open another chat and come back to this one: it then shows what changed.`,
  );
}
