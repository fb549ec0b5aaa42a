// What a chat is doing, as a shape with its words for who cannot see it. Shapes differ, so colour is never alone.
import type { ChatMark } from '../../state/chat-list.ts';
import styles from './status-dot.module.css';

export interface StatusDotProps {
  readonly mark: ChatMark;
  readonly waiting: number;
}

export function StatusDot({ mark, waiting }: StatusDotProps) {
  if (mark === null) return <span />;
  const words = {
    waiting: waiting > 1 ? `${waiting} wait for your answer: ` : 'waits for your answer: ',
    running: 'running: ',
    interrupted: 'interrupted: ',
    failed: 'failed: ',
    unread: 'unread: ',
  }[mark];
  return (
    <span className={styles['place']}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" className={styles[mark]}>
        {mark === 'waiting' && <circle cx="5" cy="5" r="4" />}
        {mark === 'running' && <circle cx="5" cy="5" r="3.25" />}
        {mark === 'interrupted' && <path d="M2.5 1.5v7M7.5 1.5v7" />}
        {mark === 'failed' && <path d="M2 2l6 6M8 2l-6 6" />}
        {mark === 'unread' && <circle cx="5" cy="5" r="2.75" />}
      </svg>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
