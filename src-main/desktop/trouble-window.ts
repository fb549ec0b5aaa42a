// Asks the person what to do when Warrant cannot start, in its window, on a page that may not talk to the application.
import { choiceOf, type Trouble, type TroubleChoice, TROUBLE_HOST } from './trouble-page.ts';

/** The trouble that is shown; the application's protocol asks for it. */
let shown: Trouble | undefined;

/** The trouble to show at app://trouble/, or undefined. */
export function shownTrouble(): Trouble | undefined {
  return shown;
}

/** What the person chose while nobody asked: the former question was still on screen. Taken by the next ask. */
const early = new WeakMap<Electron.BrowserWindow, TroubleChoice>();
const listening = new WeakMap<Electron.BrowserWindow, (choice: TroubleChoice) => void>();

/** Shows the trouble and gives the person's choice; closing the window is `quit`. */
export async function askAboutTrouble(window: Electron.BrowserWindow, trouble: Trouble): Promise<TroubleChoice> {
  shown = trouble;
  if (!listening.has(window)) listen(window);
  const { promise, resolve } = Promise.withResolvers<TroubleChoice>();
  listening.set(window, resolve);
  await window.loadURL(`app://${TROUBLE_HOST}/index.html`);
  const chosen = early.get(window);
  early.delete(window);
  if (chosen !== undefined && trouble.choices.includes(chosen)) resolve(chosen);
  const choice = await promise;
  listening.set(window, (next) => early.set(window, next));
  return choice;
}

/** From the first trouble on; the page's links are the choices. */
function listen(window: Electron.BrowserWindow): void {
  window.webContents.on('will-navigate', (event: { url: string }) => {
    const choice = shown && choiceOf(event.url, shown);
    if (choice) listening.get(window)?.(choice);
  });
  window.on('closed', () => {
    listening.get(window)?.('quit');
  });
}
