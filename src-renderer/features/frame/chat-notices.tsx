// What concerns the open chat as a whole, under its bar: that it is not saved, and notices.
import { X } from 'lucide-react';
import { useChat, useWindow } from '../../state/window-context.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import styles from './notice-bar.module.css';

export function ChatNotices() {
  const { chats } = useWindow();
  const sessionId = useChat((chat) => chat.sessionId);
  const notices = useChat((chat) => chat.notices);
  const saved = useChat((chat) => chat.summary.saved);
  if (notices.length === 0 && saved) return null;
  return (
    <div className={styles['bar']}>
      {!saved && (
        <ErrorNote level="info">
          Nothing of this chat is saved, and it is gone when Warrant closes. What it changes in your files stays.
        </ErrorNote>
      )}
      {notices.map((notice) => (
        <ErrorNote
          key={notice.id}
          level={notice.level}
          actions={
            <IconButton
              size="small"
              label="Close this notice"
              icon={<X size={14} aria-hidden="true" />}
              onClick={() => chats.dismissNotice(sessionId, notice.id)}
            />
          }
        >
          {notice.message}
        </ErrorNote>
      ))}
    </div>
  );
}
