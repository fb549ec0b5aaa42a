// What concerns the open chat as a whole, under its bar: notices, and who else holds it.
import { X } from 'lucide-react';
import { useChat, useWindow } from '../../state/window-context.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import styles from './notice-bar.module.css';

export function ChatNotices() {
  const { chats } = useWindow();
  const sessionId = useChat((chat) => chat.sessionId);
  const notices = useChat((chat) => chat.notices);
  if (notices.length === 0) return null;
  return (
    <div className={styles['bar']}>
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
