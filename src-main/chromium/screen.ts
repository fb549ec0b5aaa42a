// Stands in for Electron's `screen`. The displays are not known before a window is open, so none are told: callers leave
// the place of a window to the window manager then, which brings windows into view by itself.
import type Electron from 'electron';

/** Electron's `screen`, as far as it is used. */
export const screen = {
  getAllDisplays(): Electron.Display[] {
    return [];
  },
} satisfies Pick<Electron.Screen, 'getAllDisplays'>;
