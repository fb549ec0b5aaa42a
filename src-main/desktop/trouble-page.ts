// The page shown when Warrant cannot start: what happened, what is safe, what can be done. Plain HTML without a script; its
// buttons are links, which the window asks about and never follows.
import { readFile } from 'node:fs/promises';

/** What the person may choose. */
export type TroubleChoice = 'try-again' | 'start-fresh' | 'quit';

/** One trouble in words. */
export interface Trouble {
  readonly heading?: string;
  /** One or two plain sentences: what happened, what is safe, what to do. */
  message: string;
  choices: readonly TroubleChoice[];
}

/** Host of the page's address, beside the application's own. */
export const TROUBLE_HOST = 'trouble';

const LABELS: Readonly<Record<TroubleChoice, string>> = {
  'try-again': 'Try again',
  'start-fresh': 'Put the database aside and begin a new one',
  quit: 'Quit',
};

/** The choice that an address stands for, or undefined. */
export function choiceOf(url: string, trouble: Trouble): TroubleChoice | undefined {
  return trouble.choices.find((choice) => url === `app://${TROUBLE_HOST}/${choice}`);
}

/** The page as HTML. `iconFile` is shown when it can be read. */
export async function troubleHtml(trouble: Trouble, iconFile: string): Promise<string> {
  const icon = await readFile(iconFile, 'utf8').catch(() => '');
  const heading = escapeHtml(trouble.heading ?? 'Warrant cannot start');
  const buttons = trouble.choices.map((choice) => `<a href="/${choice}">${LABELS[choice]}</a>`).join('');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${heading}</title><style>
:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-content:center;justify-items:start;gap:16px;
background:light-dark(#fbfbf9,#16181a);color:light-dark(#1d2022,#e6e8e6);font:15px/1.6 system-ui,sans-serif}
main{max-width:34rem;padding:24px}svg{width:40px;height:40px}h1{font-size:18px;font-weight:600;margin:12px 0 8px}
p{margin:0 0 20px;overflow-wrap:anywhere}a{display:inline-block;margin:0 8px 8px 0;padding:6px 14px;border-radius:6px;
border:1px solid light-dark(#d5d5cf,#3a3f44);color:inherit;text-decoration:none}
a:first-of-type{background:light-dark(#0f6b66,#4fb8b0);color:light-dark(#fff,#10201f);border-color:transparent}
a:focus-visible{outline:2px solid light-dark(#0f6b66,#4fb8b0);outline-offset:2px}</style>
<main role="alert">${icon}<h1>${heading}</h1><p>${escapeHtml(trouble.message)}</p><nav>${buttons}</nav></main></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
