// The instructions of the chat's project, read when the chat is shown, and the person's decision on them.
import { useCallback, useEffect, useState } from 'react';
import type { ProjectId } from '../../../src-main/contract/ids.ts';
import type { ProjectInstructions } from '../../../src-main/contract/instructions.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { useApp, useClient } from '../../state/window-context.tsx';

export interface Instructions {
  /** null = the project gives none, or they are not read yet. */
  readonly found: ProjectInstructions | null;
  /** Decides on exactly what was found; gives what went wrong, in words, or null. */
  readonly decide: (use: boolean) => Promise<string | null>;
}

/** Also read anew when another place of the window decided on them. */
export function useInstructions(projectId: ProjectId): Instructions {
  const client = useClient();
  const choice = useApp((app) => app.settings.instructions[projectId]);
  const [found, setFound] = useState<ProjectInstructions | null>(null);
  const read = useCallback(async (): Promise<void> => {
    // A folder that cannot be read is told elsewhere.
    setFound(await client.projects.readInstructions({ projectId }).catch(() => null));
  }, [client, projectId]);
  useEffect(() => void read(), [read, choice]);
  const decide = async (use: boolean): Promise<string | null> => {
    if (found === null) return null;
    try {
      await client.projects.decideInstructions({ projectId, choice: { digest: found.digest, use } });
      return null;
    } catch (caught) {
      return wireErrorOf(caught).message;
    } finally {
      await read();
    }
  };
  return { found, decide };
}
