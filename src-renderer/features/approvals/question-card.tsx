// One question of the model to the person: its words as text, the answers that it offers, and room for another answer.
// Invariant: it is answered only by its own controls; what the model wrote is shown verbatim and draws nothing.
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactElement, Ref } from 'react';
import type { WireError } from '../../../src-main/contract/errors.ts';
import type { PersonQuestion } from '../../../src-main/contract/session.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { isComposing } from '../../ui/is-composing.ts';
import { VisibleText } from '../../ui/verbatim/verbatim.tsx';
import styles from './approval-card.module.css';

export interface QuestionCardProps {
  readonly question: PersonQuestion;
  /** How many questions wait, this one counted. */
  readonly count: number;
  /** null = no answer. Rejects with a BridgeError when the answer did not count. */
  readonly onAnswer: (answer: string | null) => Promise<void>;
  readonly ref?: Ref<HTMLDivElement>;
}

/** See the file's header. Give it a key of the call id. */
export function QuestionCard({ question, count, onAnswer, ref }: QuestionCardProps): ReactElement {
  const [words, setWords] = useState('');
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<WireError | null>(null);
  const id = useId();
  const answer = (given: string | null): void => {
    if (sending) return;
    setSending(true);
    setError(null);
    onAnswer(given).catch((caught: unknown) => {
      setError(wireErrorOf(caught));
      setSending(false);
    });
  };
  const send = (): void => {
    if (words.trim() !== '') answer(words.trim());
  };
  const press = (event: KeyboardEvent): void => {
    if (isComposing(event) || event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  return (
    <div
      ref={ref}
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      className={styles['card']}
      data-question={question.callId}
    >
      <header className={styles['head']}>
        <p id={id} className={styles['sentence']}>
          <span className={styles['why']}>The model asks: </span>
          <span className={styles['asked']}>
            <VisibleText text={question.question} />
          </span>
        </p>
        {count > 1 && <span className={styles['place']}>1 of {count}</span>}
      </header>
      {question.options.length > 0 && (
        <ul className={styles['choices']} aria-label="Answers to choose from">
          {question.options.map((option, at) => (
            <li key={`${String(at)} ${option}`}>
              <Button disabled={sending} onClick={() => answer(option)}>
                <VisibleText text={option} oneLine />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className={styles['editor']}>
        <label className={styles['label']}>
          {question.options.length > 0 ? 'Or in your own words' : 'Your answer'}
          <textarea
            className={styles['reason']}
            value={words}
            rows={2}
            maxLength={100_000}
            onKeyDown={press}
            onChange={(event) => setWords(event.target.value)}
          />
        </label>
        <div className={styles['answers']}>
          <Button kind="primary" busy={sending} disabled={words.trim() === ''} shortcut="Enter" onClick={send}>
            Answer
          </Button>
          <span className={styles['grow']} />
          <Button disabled={sending} onClick={() => answer(null)}>
            No answer
          </Button>
        </div>
      </div>
      {error !== null && (
        <div className={styles['error']}>
          <ErrorNote>{error.message}</ErrorNote>
        </div>
      )}
    </div>
  );
}
