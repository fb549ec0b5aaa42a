// The stand-in for the module `electron`: the names that the application may import from it under this host.
export { app } from './app.ts';
export { BrowserWindow } from './browser-window.ts';
export { clipboard } from './clipboard.ts';
export { dialog } from './dialog.ts';
export { ipcMain } from './ipc-main.ts';
export { Menu } from './menu.ts';
export { nativeTheme } from './native-theme.ts';
export { Notification } from './notification.ts';
export { protocol } from './protocol.ts';
export { safeStorage } from './safe-storage.ts';
export { screen } from './screen.ts';
export { session } from './session.ts';
export { shell } from './shell.ts';
