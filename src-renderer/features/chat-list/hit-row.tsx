// One part of a chat that was found: the chat's title, and the words with what stands around them.
import type { ReactElement } from 'react';
import type { SearchHit } from '../../../src-main/contract/session.ts';
import { useActs } from '../../state/window-context.tsx';
import styles from './hit-row.module.css';

export interface HitRowProps {
  readonly hit: SearchHit;
  readonly id: string;
  readonly tabStop: boolean;
  readonly onFocus: () => void;
}

export function HitRow({ hit, id, tabStop, onFocus }: HitRowProps): ReactElement {
  const { showHit } = useActs();
  return (
    <button
      type="button"
      className={styles['hit']}
      data-row={id}
      tabIndex={tabStop ? 0 : -1}
      onFocus={onFocus}
      onClick={() => void showHit(hit)}
    >
      <span className={styles['title']}>{hit.title === '' ? 'New chat' : hit.title}</span>
      <span className={styles['text']} dir="auto">
        {hit.before}
        <mark>{hit.match}</mark>
        {hit.after}
      </span>
    </button>
  );
}
