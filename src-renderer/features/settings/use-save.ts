// Saves a change and holds what main said against it, for the place where the change was made.
import { useState } from 'react';
import type { WindowPatch } from '../../../src-main/contract/settings.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { useActs } from '../../state/window-context.tsx';

export interface Save {
  /** Gives whether it was saved. */
  readonly save: (patch: WindowPatch) => Promise<boolean>;
  readonly problem: string | null;
}

export function useSave(): Save {
  const { updateSettings } = useActs();
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (patch: WindowPatch): Promise<boolean> => {
    try {
      await updateSettings(patch);
      setProblem(null);
      return true;
    } catch (caught) {
      setProblem(wireErrorOf(caught).message);
      return false;
    }
  };
  return { save, problem };
}
