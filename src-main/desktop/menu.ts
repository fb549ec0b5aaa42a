// The menu bar. What it asks for goes to the page as a command; the page has the same commands by its own shortcuts, so an
// accelerator here is shown and not registered where the page listens for it itself.
import { app, Menu, type MenuItemConstructorOptions } from 'electron';

/** Commands of the menu that the page carries out. */
export type MenuCommand =
  'new-chat' | 'open-folder' | 'settings' | 'help' | 'palette' | 'toggle-side-bar' | 'toggle-panel';

/** Builds the menu bar and shows it. `send` gives a command to the window in front. */
export function installMenu(send: (command: MenuCommand) => void): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(send, process.platform)));
}

/** The template, by platform. */
export function menuTemplate(
  send: (command: MenuCommand) => void,
  platform: NodeJS.Platform,
): MenuItemConstructorOptions[] {
  const item = (label: string, command: MenuCommand, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    click: () => {
      send(command);
    },
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
  });
  const isMac = platform === 'darwin';
  const settings = item('Settings…', 'settings', 'CmdOrCtrl+,');
  const separator = { type: 'separator' as const };
  const macMenu: MenuItemConstructorOptions = {
    label: app.getName(),
    submenu: [
      { role: 'about' },
      separator,
      settings,
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      separator,
      { role: 'quit' },
    ],
  };
  return [
    ...(isMac ? [macMenu] : []),
    {
      label: 'File',
      submenu: [
        item('New chat', 'new-chat', 'CmdOrCtrl+N'),
        item('Open folder…', 'open-folder', 'CmdOrCtrl+O'),
        ...(isMac ? [] : [separator, settings]),
        separator,
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        item('Find chats and commands', 'palette', 'CmdOrCtrl+K'),
        item('Chats', 'toggle-side-bar', 'CmdOrCtrl+B'),
        item('Authority, changes and ledger', 'toggle-panel', 'CmdOrCtrl+J'),
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [separator, { role: 'toggleDevTools' as const }]),
      ],
    },
    { role: 'windowMenu' },
    { label: 'Help', submenu: [item('Keyboard shortcuts', 'help')] },
  ];
}
