// A project without an open chat: its folder may be gone, its chats unreadable, or there is none yet.
import { FolderX, MessageSquarePlus } from 'lucide-react';
import { SHORTCUTS } from '../../state/shortcuts.ts';
import { useActs, useAppStore } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TopBar } from './top-bar.tsx';
import styles from './no-chat.module.css';

export function NoChat() {
  const project = useAppStore((state) => state.app?.projects.find((known) => known.id === state.projectId));
  const list = useAppStore((state) => (state.projectId === null ? undefined : state.lists[state.projectId]));
  return (
    <div className={styles['page']}>
      <TopBar title={project?.name ?? 'Warrant'} {...(project ? { path: project.shownPath } : {})} />
      <div className={styles['content']}>
        {list?.phase === 'loading' ? (
          <Spinner label="Reading the chats of this project" withText />
        ) : (
          <Content present={project?.present ?? false} path={project?.shownPath ?? ''} problem={list?.error?.message} />
        )}
      </div>
    </div>
  );
}

interface ContentProps {
  readonly present: boolean;
  readonly path: string;
  readonly problem: string | undefined;
}

function Content({ present, path, problem }: ContentProps) {
  const { newChat, chooseFolder, showProject, askWhereProjectIs } = useActs();
  const projectId = useAppStore((state) => state.projectId);
  if (problem !== undefined && projectId !== null) {
    const again = <Button onClick={() => void showProject(projectId)}>Try again</Button>;
    return <ErrorNote actions={again}>{problem}</ErrorNote>;
  }
  if (!present) {
    return (
      <EmptyState
        icon={<FolderX size={28} aria-hidden="true" />}
        title="This folder is not there"
        actions={
          <>
            {projectId !== null && (
              <Button kind="primary" onClick={() => void askWhereProjectIs(projectId)}>
                Say where it is now
              </Button>
            )}
            <Button onClick={() => void chooseFolder()}>Open another folder</Button>
          </>
        }
      >
        {path} was moved, renamed or unmounted. Its chats are kept: open one from the list to read it, or say where the
        folder is now, and they go on there.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<MessageSquarePlus size={28} aria-hidden="true" />}
      title="No chat is open"
      actions={
        <Button kind="primary" shortcut={SHORTCUTS['new-chat'].keys} onClick={() => void newChat()}>
          New chat
        </Button>
      }
    >
      Choose one on the left, or begin a new one in {path}.
    </EmptyState>
  );
}
