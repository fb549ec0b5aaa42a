// A notification of the system, shown only while no window of Warrant is in front.
import { BrowserWindow, Notification } from 'electron';

/** What is told. Plain text, both shortened by the system as it likes. */
export interface Notice {
  readonly title: string;
  readonly body: string;
}

/** Tells the person; choosing the notification brings the window to the front. */
export function notify(notice: Notice): void {
  if (BrowserWindow.getFocusedWindow() || !Notification.isSupported()) return;
  const notification = new Notification({ title: notice.title, body: notice.body });
  notification.on('click', () => {
    focusWindow(BrowserWindow.getAllWindows()[0]);
  });
  notification.show();
}

/** Brings a window to the front, also from the task bar. */
export function focusWindow(window: Electron.BrowserWindow | undefined): void {
  if (!window || window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
