// A question of the system's own, out of the reach of any page. The safe answer is the one that Enter and Esc give.
import { BrowserWindow, dialog } from 'electron';
import type { HostQuestion } from '../app/host.ts';

/** The Chromium host has no such question. */
type HostDialog = Partial<Pick<typeof dialog, 'showMessageBox'>>;

/** Hidden and direction-changing characters, line feeds among them: nothing in a command may hide or move. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u{e0000}-\u{e007f}]/gu;

/** Asks; true = the person accepted. null where the system has no question of its own. */
export function systemQuestion(): ((question: HostQuestion) => Promise<boolean>) | null {
  const { showMessageBox } = dialog as HostDialog;
  if (!showMessageBox) return null;
  return async (question) => {
    const options = toMessageBox(question);
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
    return response === 1;
  };
}

/** The question as the system shows it, with the verbatim text in a paragraph of its own. */
export function toMessageBox({ title, message, verbatim, accept }: HostQuestion): Electron.MessageBoxOptions {
  const shown = verbatim.replace(
    HIDDEN,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  );
  return {
    type: 'warning',
    title,
    message: title,
    detail: `${message}\n\n${shown}`,
    buttons: ['Cancel', accept],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
}
