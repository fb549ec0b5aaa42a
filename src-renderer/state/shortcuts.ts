// Every shortcut of the window in one table: the help sheet, menus and tooltips read it, the frame binds it.
// Invariant: none of them answers an approval; the card's own keys work only while the card has the focus.

export interface Shortcut {
  readonly keys: string;
  readonly does: string;
}

/** Bound by the frame, everywhere in the window. */
export const SHORTCUTS = {
  'new-chat': { keys: 'Ctrl+N', does: 'New chat' },
  'open-folder': { keys: 'Ctrl+O', does: 'Open folder' },
  palette: { keys: 'Ctrl+K', does: 'Find chats and commands' },
  settings: { keys: 'Ctrl+,', does: 'Settings' },
  'side-bar': { keys: 'Ctrl+B', does: 'Show or hide the chats' },
  panel: { keys: 'Ctrl+J', does: 'Show or hide the panel' },
  'next-chat': { keys: 'Alt+ArrowDown', does: 'Next chat' },
  'previous-chat': { keys: 'Alt+ArrowUp', does: 'Previous chat' },
} as const satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof SHORTCUTS;

/** What the help sheet shows beside those, each bound where it is used. */
export const LOCAL_SHORTCUTS: readonly { readonly title: string; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Writing',
    shortcuts: [
      { keys: 'Enter', does: 'Send' },
      { keys: 'Shift+Enter', does: 'New line' },
      { keys: '@', does: 'Name a file of the project' },
      { keys: '/', does: 'Commands' },
      { keys: 'Shift+Tab', does: 'Next mode: plan, ask, auto' },
      { keys: 'Esc', does: 'Close what is open; else stop the answer' },
    ],
  },
  {
    title: 'Answering',
    shortcuts: [
      { keys: 'F6', does: 'Go to what waits for your answer' },
      { keys: 'Ctrl+Shift+A', does: 'The same' },
      { keys: 'Tab', does: 'Through the answers; Enter gives the one in focus' },
    ],
  },
  {
    title: 'In the list of chats',
    shortcuts: [
      { keys: '↑ ↓', does: 'Move' },
      { keys: 'Enter', does: 'Open' },
      { keys: 'F2', does: 'Rename' },
      { keys: 'Delete', does: 'Archive' },
    ],
  },
];

/** The part of a key event that a shortcut is read from. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** The shortcut that this key is; Command stands for Ctrl on a Mac. undefined = none of ours. */
export function shortcutOf(event: PressedKey, mac: boolean): ShortcutName | undefined {
  const main = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  const modifiers = [main && 'Ctrl', event.shiftKey && 'Shift', event.altKey && 'Alt'].filter((name) => name !== false);
  const pressed = [...modifiers, event.key.length === 1 ? event.key.toUpperCase() : event.key].join('+');
  const names = Object.keys(SHORTCUTS) as ShortcutName[];
  return names.find((name) => SHORTCUTS[name].keys === pressed);
}
