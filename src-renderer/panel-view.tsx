// The panel of the open chat, joined to the window's state.
import { useStore } from 'zustand';
import type { SessionId } from '../src-main/contract/ids.ts';
import { useWindow } from './state/window-context.tsx';

export interface PanelViewProps {
  readonly sessionId: SessionId;
}

export function PanelView({ sessionId }: PanelViewProps) {
  const { chats } = useWindow();
  const chat = useStore(chats.store, (state) => state.chats[sessionId]?.chat ?? null);
  if (!chat) return null;
  return <p>{chat.authority.digest}</p>;
}
