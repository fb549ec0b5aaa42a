// What markdown and code blocks ask of whoever shows them: to open an address outside, and to copy a text.
import { createContext } from 'react';

export interface Outside {
  /** Asks the person, showing the address in full, before anything is opened. */
  readonly openLink: (url: string) => void;
  readonly copyText: (text: string) => Promise<void>;
}

/** Without a provider, links and copying do nothing. */
export const OutsideContext = createContext<Outside>({ openLink: () => undefined, copyText: () => Promise.resolve() });
