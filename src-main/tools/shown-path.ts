// Paths as results show them: one line each, whatever is in a name.

/** The path itself, or quoted when it holds control characters that would make it pose as something else. */
export function shownPath(path: string): string {
  return /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path;
}
