// Asks the person what to do when Warrant cannot start, in its window, on a page that may not talk to the application.
import { choiceOf, type Trouble, type TroubleChoice, TROUBLE_HOST } from './trouble-page.ts';

/** What is shown, and the trouble last asked about; the application's protocol asks for the former. */
let shown: Trouble | undefined;
let asked: Trouble | undefined;

/** Stands while the choice is carried out, which may take as long as another program holds the database. */
const AT_WORK: Trouble = {
  heading: 'Warrant is starting',
  message: 'Trying again. This may take a few seconds.',
  choices: [],
};

/** The trouble to show at app://trouble/, or undefined. */
export function shownTrouble(): Trouble | undefined {
  return shown;
}

const TROUBLE_PAGE = `app://${TROUBLE_HOST}/index.html`;

/** What the person chose while nobody asked: the former question was still on screen. Taken by the next ask. */
const early = new WeakMap<Electron.BrowserWindow, TroubleChoice>();
const listening = new WeakMap<Electron.BrowserWindow, (choice: TroubleChoice) => void>();

/** Shows the trouble and gives the person's choice, with word of it on screen; closing the window is `quit`. */
export async function askAboutTrouble(window: Electron.BrowserWindow, trouble: Trouble): Promise<TroubleChoice> {
  shown = asked = trouble;
  if (!listening.has(window)) listen(window);
  const { promise, resolve } = Promise.withResolvers<TroubleChoice>();
  listening.set(window, resolve);
  await window.loadURL(TROUBLE_PAGE);
  const chosen = early.get(window);
  early.delete(window);
  if (chosen !== undefined && trouble.choices.includes(chosen)) resolve(chosen);
  const choice = await promise;
  listening.set(window, (next) => early.set(window, next));
  if (choice !== 'quit') {
    shown = AT_WORK;
    // A window that is closed meanwhile is the next question's answer.
    await window.loadURL(TROUBLE_PAGE).catch(() => undefined);
  }
  return choice;
}

/** From the first trouble on; the page's links are the choices. */
function listen(window: Electron.BrowserWindow): void {
  window.webContents.on('will-navigate', (event: { url: string }) => {
    const choice = asked && choiceOf(event.url, asked);
    if (choice) listening.get(window)?.(choice);
  });
  window.on('closed', () => {
    listening.get(window)?.('quit');
  });
}
