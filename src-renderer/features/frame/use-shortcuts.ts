// Binds the window's shortcuts. Keys of an input method, and keys while a dialog is open, are left alone.
import { useEffect } from 'react';
import { knownChats } from '../../state/app-store.ts';
import { shortcutOf, type ShortcutName } from '../../state/shortcuts.ts';
import { useWindow } from '../../state/window-context.tsx';
import type { WindowState } from '../../state/window-state.ts';
import { isComposing } from '../../ui/is-composing.ts';
import { isMac } from '../../ui/shortcut-text.ts';

export function useShortcuts(): void {
  const window_ = useWindow();
  useEffect(() => {
    const mac = isMac();
    const press = (event: KeyboardEvent): void => {
      if (isComposing(event) || event.defaultPrevented) return;
      const { layout } = window_;
      if (layout.getState().dialog !== null) return;
      const name = shortcutOf(event, mac);
      if (name !== undefined) {
        event.preventDefault();
        run(name, window_);
      } else if (event.key === '?' && !isTyping(event.target)) {
        event.preventDefault();
        layout.showDialog({ type: 'help' });
      } else if (event.key === 'Escape') closeNearest(window_);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [window_]);
}

function run(name: ShortcutName, { acts, layout, app }: WindowState): void {
  switch (name) {
    case 'new-chat':
      return void acts.newChat();
    case 'open-folder':
      return void acts.chooseFolder();
    case 'palette':
      return layout.showDialog({ type: 'palette' });
    case 'settings':
      return layout.getState().screen === 'settings' ? layout.showChat() : layout.showSettings();
    case 'side-bar':
      return layout.toggleSideBar();
    case 'panel':
      return layout.togglePanel();
    case 'next-chat':
    case 'previous-chat': {
      const state = app.getState();
      const chats = state.projectId === null ? [] : (state.lists[state.projectId]?.chats ?? knownChats(state));
      const at = chats.findIndex((chat) => chat.id === state.sessionId);
      const chat = chats[at + (name === 'next-chat' ? 1 : -1)];
      if (chat) void acts.showSession(chat.id);
    }
  }
}

/** What Esc closes when nothing nearer took it: the panel that lies over the chat, then the settings. */
function closeNearest({ layout }: WindowState): void {
  const { narrow, panel, screen } = layout.getState();
  if (narrow && panel) layout.togglePanel();
  else if (screen === 'settings') layout.showChat();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
