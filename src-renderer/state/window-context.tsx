// Hands the window's state to components, as hooks that render again only when what they chose changed.
import { createContext, use, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { AppState } from '../../src-main/contract/api.ts';
import type { Client } from '../bridge/client.ts';
import type { AppStoreState } from './app-store.ts';
import type { ChatState } from './chat-state.ts';
import type { LayoutState, LayoutStore } from './layout-store.ts';
import type { WindowActs, WindowState } from './window-state.ts';

const WindowContext = createContext<WindowState | null>(null);
const ChatContext = createContext<string | null>(null);

export function WindowProvider({ value, children }: { readonly value: WindowState; readonly children: ReactNode }) {
  return <WindowContext value={value}>{children}</WindowContext>;
}

/** Says which open chat the components below are about. */
export function ChatProvider({ sessionId, children }: { readonly sessionId: string; readonly children: ReactNode }) {
  return <ChatContext value={sessionId}>{children}</ChatContext>;
}

export function useWindow(): WindowState {
  const value = use(WindowContext);
  if (!value) throw new TypeError('This component stands outside of WindowProvider.');
  return value;
}

export function useClient(): Client {
  return useWindow().client;
}

export function useActs(): WindowActs {
  return useWindow().acts;
}

export function useAppStore<T>(choose: (state: AppStoreState) => T): T {
  return useStore(useWindow().app, choose);
}

/** Facts from main; only below the frame, which shows something else until they are there. */
export function useApp<T>(choose: (app: AppState) => T): T {
  return useAppStore((state) => {
    if (!state.app) throw new TypeError('The app state has not been read yet.');
    return choose(state.app);
  });
}

export function useLayout<T>(choose: (state: LayoutState) => T): T {
  return useStore(useWindow().layout, choose);
}

export function useLayoutStore(): LayoutStore {
  return useWindow().layout;
}

/** A part of the open chat; only below ChatProvider. `choose` must give the same value for the same chat. */
export function useChat<T>(choose: (chat: ChatState) => T): T {
  const sessionId = use(ChatContext);
  return useStore(useWindow().chats.store, ({ chats }) => {
    const chat = sessionId === null ? null : chats[sessionId]?.chat;
    if (!chat) throw new TypeError('This component stands outside of an open chat.');
    return choose(chat);
  });
}
