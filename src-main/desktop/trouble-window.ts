// Asks the person what to do when Warrant cannot start, in its window, on a page that may not talk to the application.
import { choiceOf, type Trouble, type TroubleChoice, TROUBLE_HOST } from './trouble-page.ts';

/** The trouble that is shown; the application's protocol asks for it. */
let shown: Trouble | undefined;

/** The trouble to show at app://trouble/, or undefined. */
export function shownTrouble(): Trouble | undefined {
  return shown;
}

/** Shows the trouble and gives the person's choice; closing the window is `quit`. */
export async function askAboutTrouble(window: Electron.BrowserWindow, trouble: Trouble): Promise<TroubleChoice> {
  shown = trouble;
  const { promise, resolve } = Promise.withResolvers<TroubleChoice>();
  const onNavigate = (event: { url: string }): void => {
    const choice = choiceOf(event.url, trouble);
    if (choice) resolve(choice);
  };
  const onClosed = (): void => {
    resolve('quit');
  };
  window.webContents.on('will-navigate', onNavigate);
  window.on('closed', onClosed);
  await window.loadURL(`app://${TROUBLE_HOST}/index.html`);
  const choice = await promise;
  if (!window.isDestroyed()) {
    window.webContents.off('will-navigate', onNavigate);
    window.off('closed', onClosed);
  }
  return choice;
}
