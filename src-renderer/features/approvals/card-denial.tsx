// Denying, with a reason that the model reads.
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { Button } from '../../ui/button.tsx';
import { isComposing } from '../../ui/is-composing.ts';
import styles from './approval-card.module.css';

export interface CardDenialProps {
  readonly sending: boolean;
  /** `reason` may be ''. */
  readonly onDeny: (reason: string) => void;
  readonly onBack: () => void;
}

/** See the file's header. */
export function CardDenial({ sending, onDeny, onBack }: CardDenialProps): ReactElement {
  const [reason, setReason] = useState('');
  const press = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      onBack();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      onDeny(reason.trim());
    }
  };
  return (
    <div className={styles['editor']} onKeyDown={press}>
      <label className={styles['label']}>
        What should it do instead? (optional, the model reads it)
        <textarea
          className={styles['reason']}
          value={reason}
          rows={2}
          maxLength={10_000}
          autoFocus
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <div className={styles['answers']}>
        <Button kind="danger" busy={sending} shortcut="Enter" onClick={() => onDeny(reason.trim())}>
          Deny
        </Button>
        <Button onClick={onBack} shortcut="Esc">
          Back
        </Button>
      </div>
    </div>
  );
}
