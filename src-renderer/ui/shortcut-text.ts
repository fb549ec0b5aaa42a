// Names of keys as this platform writes them: one place, so that menus, tooltips and the help sheet agree.

const macNames: Readonly<Record<string, string>> = {
  Ctrl: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↩',
};

const arrows: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓' };

/** true on a Mac, where the main modifier is Command. */
export function isMac(): boolean {
  return /mac/i.test(navigator.userAgent);
}

/** `Ctrl+Shift+A` -> [`Ctrl`, `Shift`, `A`], or [`⌘`, `⇧`, `A`] on a Mac. */
export function shortcutKeys(shortcut: string): string[] {
  const keys = shortcut.split('+').map((key) => (key === '' ? '+' : key));
  return keys.map((key) => (isMac() ? macNames[key] : undefined) ?? arrows[key] ?? key);
}
