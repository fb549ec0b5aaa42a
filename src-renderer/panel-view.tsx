// The panel of the open chat, joined to the window's state.
import { X } from 'lucide-react';
import { useStore } from 'zustand';
import type { SessionId } from '../src-main/contract/ids.ts';
import { InstructionsLine } from './features/instructions/instructions-line.tsx';
import { Panel } from './features/panel/panel.tsx';
import { goBack } from './state/go-back.ts';
import { useAppStore, useClient, useLayout, useLayoutStore, useWindow } from './state/window-context.tsx';
import { IconButton } from './ui/icon-button.tsx';

export interface PanelViewProps {
  readonly sessionId: SessionId;
}

export function PanelView({ sessionId }: PanelViewProps) {
  const { acts, chats } = useWindow();
  const client = useClient();
  const layout = useLayoutStore();
  const tab = useLayout((state) => state.panelTab);
  const narrow = useLayout((state) => state.narrow);
  const chat = useStore(chats.store, (state) => state.chats[sessionId]?.chat ?? null);
  const shownPath = useAppStore(
    (state) => state.app?.projects.find((project) => project.id === chat?.summary.projectId)?.shownPath,
  );
  if (!chat) return null;
  return (
    <Panel
      chat={chat}
      client={client}
      shownPath={shownPath ?? chat.projectPath}
      instructions={<InstructionsLine projectId={chat.summary.projectId} />}
      tab={tab}
      onTab={layout.showPanel}
      onRestore={(scope, title) => layout.showDialog({ type: 'restore-files', sessionId, scope, title })}
      onGoBack={(entryId, turnSeq) => goBack(client, layout, { sessionId, entryId, turnSeq })}
      onFork={(forked) => void acts.showSession(forked)}
      trailing={
        narrow && (
          <IconButton
            label="Close the panel"
            shortcut="Esc"
            icon={<X size={16} aria-hidden="true" />}
            onClick={layout.togglePanel}
          />
        )
      }
    />
  );
}
