// A chat that is being opened, or that could not be: the bar stands already, so that nothing jumps.
import { useStore } from 'zustand';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import { knownChat } from '../../state/app-store.ts';
import { useAppStore, useWindow } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TopBar } from './top-bar.tsx';
import styles from './no-chat.module.css';

export interface ChatOpeningProps {
  readonly sessionId: SessionId;
}

export function ChatOpening({ sessionId }: ChatOpeningProps) {
  const { chats } = useWindow();
  const title = useAppStore((state) => knownChat(state, sessionId)?.title ?? 'Chat');
  const open = useStore(chats.store, (state) => state.chats[sessionId]);
  return (
    <div className={styles['page']}>
      <TopBar title={title} withPanel />
      <div className={styles['content']}>
        {open?.phase === 'failed' ? (
          <ErrorNote actions={<Button onClick={() => void chats.open(sessionId)}>Try again</Button>}>
            {open.error.message}
          </ErrorNote>
        ) : (
          <Spinner label="Opening this chat" withText />
        )}
      </div>
    </div>
  );
}
