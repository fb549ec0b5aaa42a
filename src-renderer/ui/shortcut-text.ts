// Names of keys as this platform writes them: one place, so that menus, tooltips and the help sheet agree.

const macNames: Readonly<Record<string, string>> = {
  Ctrl: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↩',
};

/** true on a Mac, where the main modifier is Command. */
export function isMac(): boolean {
  return /mac/i.test(navigator.userAgent);
}

/** `Ctrl+Shift+A` -> [`Ctrl`, `Shift`, `A`], or [`⌘`, `⇧`, `A`] on a Mac. */
export function shortcutKeys(shortcut: string): string[] {
  const keys = shortcut.split('+').map((key) => (key === '' ? '+' : key));
  return isMac() ? keys.map((key) => macNames[key] ?? key) : keys;
}
