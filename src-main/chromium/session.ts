// Stands in for Electron's `session.defaultSession`. The browser itself refuses every permission, device, capture and
// download (browser-pages.ts), so handlers given here are kept but never asked: they could only say no as well.
import { EventEmitter } from 'node:events';
import type Electron from 'electron';

type Implemented =
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setSpellCheckerEnabled';

/** The only session there is. */
export class DefaultSession extends EventEmitter implements Pick<Electron.Session, Implemented> {
  setPermissionRequestHandler(_handler: Parameters<Electron.Session['setPermissionRequestHandler']>[0]): void {
    // Refused by the browser.
  }

  setPermissionCheckHandler(_handler: Parameters<Electron.Session['setPermissionCheckHandler']>[0]): void {
    // Refused by the browser.
  }

  setDevicePermissionHandler(_handler: Parameters<Electron.Session['setDevicePermissionHandler']>[0]): void {
    // Refused by the browser.
  }

  setDisplayMediaRequestHandler(_handler: Parameters<Electron.Session['setDisplayMediaRequestHandler']>[0]): void {
    // Refused by the browser.
  }

  setSpellCheckerEnabled(_enable: boolean): void {
    // The profile has no dictionaries and no network to fetch them.
  }
}

/** Electron's `session`, as far as it is used. */
export const session = { defaultSession: new DefaultSession() };
