// Changing what is asked before allowing it. The gate looks at the changed call as if it were new, and the ledger keeps
// both: as the model wrote it, and as the person changed it.
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import type { Approval } from '../../../src-main/contract/session.ts';
import { Button } from '../../ui/button.tsx';
import { isComposing } from '../../ui/is-composing.ts';
import { LongText } from '../../ui/text/long-text.tsx';
import { hasHidden } from '../../ui/verbatim/to-visible.ts';
import { fromEdit, toEditTarget } from './edit-arguments.ts';
import styles from './approval-card.module.css';

export interface CardEditorProps {
  readonly approval: Approval;
  readonly sending: boolean;
  readonly onAllow: (changedArguments: string) => void;
  readonly onBack: () => void;
}

/** See the file's header. */
export function CardEditor({ approval, sending, onAllow, onBack }: CardEditorProps): ReactElement {
  const [target] = useState(() => toEditTarget(approval));
  const [text, setText] = useState(target.text);
  const noteId = useId();
  const result = fromEdit(approval, target, text);
  const press = (event: KeyboardEvent): void => {
    if (isComposing(event) || event.key !== 'Escape') return;
    event.stopPropagation();
    onBack();
  };
  return (
    <div className={styles['editor']} onKeyDown={press}>
      <textarea
        className={styles['edit']}
        value={text}
        rows={Math.min(14, text.split('\n').length + 1)}
        spellCheck={false}
        autoFocus
        aria-label={target.kind === 'command' ? 'Command to run' : 'Arguments, as JSON'}
        aria-describedby={noteId}
        aria-invalid={result.type === 'invalid'}
        onChange={(event) => setText(event.target.value)}
      />
      {hasHidden(text) && (
        <div className={styles['bytes']}>
          <LongText text={text} label="With hidden characters made visible" verbatim />
        </div>
      )}
      <p id={noteId} className={styles['note']} role={result.type === 'invalid' ? 'alert' : undefined}>
        {result.type === 'invalid'
          ? result.message
          : 'Kept as “changed by you”. The rules look at it again before it runs.'}
      </p>
      <div className={styles['answers']}>
        <Button
          kind="primary"
          busy={sending}
          disabled={result.type !== 'changed'}
          onClick={() => result.type === 'changed' && onAllow(result.argumentsText)}
        >
          Allow as changed, once
        </Button>
        <Button onClick={onBack} shortcut="Esc">
          Back
        </Button>
      </div>
    </div>
  );
}
