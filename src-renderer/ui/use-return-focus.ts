// Gives the focus back to where it was before something over the window took it.
import { useState } from 'react';

/** For `onCloseAutoFocus` of a dialog that no control of its own opened. What had the focus is read at the first render. */
export function useReturnFocus(): (event: Event) => void {
  const [before] = useState(() => document.activeElement);
  return (event) => {
    event.preventDefault();
    // Something that took the focus meanwhile, such as a chat that was just shown, keeps it.
    const taken = document.activeElement !== null && document.activeElement !== document.body;
    if (taken) return;
    // Where it was may be gone with its screen: then it goes to where the new screen is written in.
    const home = before?.isConnected === true ? before : document.querySelector('main textarea');
    if (home instanceof HTMLElement) home.focus();
  };
}
