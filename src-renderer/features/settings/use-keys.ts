// Which services have a key and where from. Keys themselves are never here.
import { useEffect, useState } from 'react';
import type { KeyState } from '../../../src-main/contract/models.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { useClient } from '../../state/window-context.tsx';

export interface Keys {
  readonly keys: readonly KeyState[];
  readonly problem: string | null;
  readonly change: (state: KeyState) => void;
}

export function useKeys(): Keys {
  const client = useClient();
  const [keys, setKeys] = useState<readonly KeyState[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    client.models.listKeys({}).then(
      (found) => !gone && setKeys(found),
      (caught: unknown) => !gone && setProblem(wireErrorOf(caught).message),
    );
    return () => {
      gone = true;
    };
  }, [client]);
  const change = (state: KeyState): void =>
    setKeys((known) => [...known.filter((key) => key.providerId !== state.providerId), state]);
  return { keys, problem, change };
}
