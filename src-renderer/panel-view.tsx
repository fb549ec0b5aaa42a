// The panel of the open chat, joined to the window's state.
import { useStore } from 'zustand';
import type { SessionId } from '../src-main/contract/ids.ts';
import { Panel } from './features/panel/panel.tsx';
import { useAppStore, useLayout, useLayoutStore, useWindow } from './state/window-context.tsx';

export interface PanelViewProps {
  readonly sessionId: SessionId;
}

export function PanelView({ sessionId }: PanelViewProps) {
  const { chats, client } = useWindow();
  const layout = useLayoutStore();
  const tab = useLayout((state) => state.panelTab);
  const chat = useStore(chats.store, (state) => state.chats[sessionId]?.chat ?? null);
  const project = useAppStore((state) => state.app?.projects.find((known) => known.id === chat?.summary.projectId));
  if (!chat) return null;
  const shownPath = project?.shownPath ?? chat.projectPath;
  return (
    <Panel chat={chat} client={client} shownPath={shownPath} tab={tab} onTab={(chosen) => layout.showPanel(chosen)} />
  );
}
