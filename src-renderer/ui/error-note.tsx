// Something went wrong, where it went wrong: what happened, what is safe, and the next step as a button.
import type { ReactNode } from 'react';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { classes } from './classes.ts';
import styles from './error-note.module.css';

export interface ErrorNoteProps {
  readonly level?: 'info' | 'warning' | 'error';
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  /** Spoken at once when it appears. */
  readonly live?: boolean;
}

const icons = { info: Info, warning: TriangleAlert, error: CircleAlert };

export function ErrorNote({ level = 'error', children, actions, live = true }: ErrorNoteProps) {
  const Icon = icons[level];
  const role = !live ? undefined : level === 'info' ? 'status' : 'alert';
  return (
    <div className={classes(styles['note'], styles[level])} role={role}>
      <Icon size={16} aria-hidden="true" className={styles['icon']} />
      <div className={styles['text']}>{children}</div>
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </div>
  );
}
