// A list that main keeps, fetched anew when what it is made of changed; what was there stays until the new one is.
import { useEffect, useState } from 'react';
import type { WireError } from '../../src-main/contract/errors.ts';
import { wireErrorOf } from '../bridge/bridge-error.ts';

export interface Fetched<T> {
  /** null = not there yet. */
  readonly value: T | null;
  readonly error: WireError | null;
  readonly retry: () => void;
}

/** Waits a moment, so that a burst of calls is one fetch. */
const GATHER_MS = 250;

/** `load` must keep its identity; `version` = any number that is another one when there is something new. */
export function useFetched<T>(load: () => Promise<T>, version: number): Fetched<T> {
  const [state, setState] = useState<{ value: T | null; error: WireError | null }>({ value: null, error: null });
  const [again, setAgain] = useState(0);
  const first = state.value === null;
  useEffect(() => {
    let wanted = true;
    const fetch = (): void => {
      load().then(
        (value) => wanted && setState({ value, error: null }),
        (caught: unknown) => wanted && setState(({ value }) => ({ value, error: wireErrorOf(caught) })),
      );
    };
    const timer = setTimeout(fetch, first ? 0 : GATHER_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
    // `first` only chooses the delay; it must not fetch again by itself.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [load, version, again]);
  return { ...state, retry: () => setAgain((number) => number + 1) };
}
