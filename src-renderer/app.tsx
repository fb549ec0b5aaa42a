// Puts the features together: which of them stands where in the frame. Features do not know each other.
import { useMemo } from 'react';
import { ChatView } from './chat-view.tsx';
import { ChatListBar } from './features/chat-list/chat-list-bar.tsx';
import { GoBackDialog } from './features/checkpoints/go-back-dialog.tsx';
import { RestoreDialog } from './features/checkpoints/restore-dialog.tsx';
import { FirstRun } from './features/first-run/first-run.tsx';
import { FolderChooser } from './features/folder-chooser/folder-chooser.tsx';
import { DropTarget } from './features/frame/drop-target.tsx';
import { ErrorBoundary } from './features/frame/error-boundary.tsx';
import { ExternalLink } from './features/frame/external-link.tsx';
import { Frame } from './features/frame/frame.tsx';
import { NoticeBar } from './features/frame/notice-bar.tsx';
import { NoChat } from './features/frame/no-chat.tsx';
import { StartScreen } from './features/frame/start-screen.tsx';
import { useAppearance } from './features/frame/use-appearance.ts';
import { useShortcuts } from './features/frame/use-shortcuts.ts';
import { HelpSheet } from './features/help/help-sheet.tsx';
import { PanelView } from './panel-view.tsx';
import { Palette } from './features/palette/palette.tsx';
import { SettingsScreen } from './features/settings/settings-screen.tsx';
import type { WindowState } from './state/window-state.ts';
import { useActs, useAppStore, useLayout, useLayoutStore, WindowProvider } from './state/window-context.tsx';
import { OutsideContext } from './ui/markdown/outside.ts';
import { TooltipProvider } from './ui/tooltip.tsx';

export interface AppProps {
  readonly state: WindowState;
}

export function App({ state }: AppProps) {
  return (
    <ErrorBoundary>
      <WindowProvider value={state}>
        <TooltipProvider>
          <Window />
        </TooltipProvider>
      </WindowProvider>
    </ErrorBoundary>
  );
}

function Window() {
  const phase = useAppStore((state) => state.phase);
  const layout = useLayoutStore();
  const { copyText } = useActs();
  useAppearance();
  const outside = useMemo(
    () => ({ openLink: (url: string) => layout.showDialog({ type: 'external-link', url }), copyText }),
    [layout, copyText],
  );
  if (phase !== 'ready') return <StartScreen />;
  return (
    <OutsideContext value={outside}>
      <Ready />
    </OutsideContext>
  );
}

function Ready() {
  const screen = useLayout((state) => state.screen);
  const dialog = useLayout((state) => state.dialog);
  const projectId = useAppStore((state) => state.projectId);
  const sessionId = useAppStore((state) => state.sessionId);
  const firstRun = useAppStore((state) => (state.app?.projects.length ?? 0) === 0);
  useShortcuts();

  const main = (): { readonly content: React.ReactNode; readonly panel: React.ReactNode } => {
    if (screen === 'settings') return { content: <SettingsScreen />, panel: null };
    if (firstRun || projectId === null) return { content: <FirstRun />, panel: null };
    if (sessionId === null) return { content: <NoChat />, panel: null };
    return {
      content: <ChatView key={sessionId} sessionId={sessionId} />,
      panel: <PanelView key={sessionId} sessionId={sessionId} />,
    };
  };
  const { content, panel } = main();
  return (
    <DropTarget>
      <Frame sideBar={<ChatListBar />} notices={<NoticeBar />} panel={panel}>
        {content}
      </Frame>
      {dialog?.type === 'folder-chooser' && <FolderChooser relink={dialog.relink ?? null} />}
      {dialog?.type === 'palette' && <Palette />}
      {dialog?.type === 'help' && <HelpSheet />}
      {dialog?.type === 'restore-files' && <RestoreDialog {...dialog} />}
      {dialog?.type === 'go-back' && <GoBackDialog {...dialog} />}
      {dialog?.type === 'external-link' && <ExternalLink url={dialog.url} />}
    </DropTarget>
  );
}
