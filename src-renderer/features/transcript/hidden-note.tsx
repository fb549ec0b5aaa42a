// Says how much of a text is left out because it is too long for the window. Nothing when all of it is there.
import type { ReactElement } from 'react';
import styles from './transcript.module.css';

/** `characters` = how many are left out at the end. */
export function HiddenNote({ characters }: { characters: number }): ReactElement | null {
  if (characters === 0) return null;
  const count = characters.toLocaleString('en');
  return (
    <p className={styles['quiet']}>
      {count} more characters are too many to be shown here. They are kept in this chat.
    </p>
  );
}
