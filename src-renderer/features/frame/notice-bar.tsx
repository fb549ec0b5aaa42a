// What the app has to tell: warnings and errors stay at the top until they are closed; small news pass by.
import { useEffect } from 'react';
import { X } from 'lucide-react';
import { useActs, useAppStore } from '../../state/window-context.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import styles from './notice-bar.module.css';

const NEWS_MS = 5000;

export function NoticeBar() {
  const notices = useAppStore((state) => state.notices);
  const { dismissNotice } = useActs();
  const lasting = notices.filter((notice) => notice.level !== 'info');
  const news = notices.findLast((notice) => notice.level === 'info');
  return (
    <>
      {lasting.length > 0 && (
        <div className={styles['bar']}>
          {lasting.map((notice) => (
            <ErrorNote
              key={notice.id}
              level={notice.level}
              actions={
                <IconButton
                  size="small"
                  label="Close this notice"
                  icon={<X size={14} aria-hidden="true" />}
                  onClick={() => dismissNotice(notice.id)}
                />
              }
            >
              {notice.message}
            </ErrorNote>
          ))}
        </div>
      )}
      <div className={styles['place']} role="status">
        {news && <News key={news.id} id={news.id} message={news.message} />}
      </div>
    </>
  );
}

function News({ id, message }: { readonly id: number; readonly message: string }) {
  const { dismissNotice } = useActs();
  useEffect(() => {
    // Longer words stay longer.
    const timer = setTimeout(() => dismissNotice(id), NEWS_MS + message.length * 30);
    return () => clearTimeout(timer);
  }, [id, message, dismissNotice]);
  return <p className={styles['news']}>{message}</p>;
}
