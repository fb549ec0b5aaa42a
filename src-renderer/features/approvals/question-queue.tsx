// What the model asks the person, one card at a time, the oldest first. Takes the focus only when asked (F6), and gives it
// back; an approval that waits is answered first, as its turn cannot go on either.
import { useCallback, useEffect, useRef } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import type { PersonQuestion } from '../../../src-main/contract/session.ts';
import type { Client } from '../../bridge/client.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { QuestionCard } from './question-card.tsx';
import { useAnswerKey } from './use-answer-key.ts';
import styles from './approval-card.module.css';

export interface QuestionQueueProps {
  /** Oldest first. */
  readonly questions: readonly PersonQuestion[];
  /** An approval waits too: F6 is for that one. */
  readonly behind: boolean;
  readonly client: Client;
  /** Gives the focus back to where messages are written. */
  readonly onLeave: () => void;
}

/** See the file's header. Draws nothing when nothing is asked. */
export function QuestionQueue({ questions, behind, client, onLeave }: QuestionQueueProps): ReactElement | null {
  const card = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  const shown = questions[0] ?? null;
  const shownId = shown?.callId ?? null;
  useAnswerKey(card, { enabled: !behind, onLeave });
  useEffect(() => {
    if (!hadFocus.current) return;
    hadFocus.current = false;
    if (shownId === null) onLeave();
    else card.current?.focus({ preventScroll: true });
  }, [shownId, onLeave]);
  const answer = useCallback(
    async (words: string | null): Promise<void> => {
      if (shown === null) return;
      hadFocus.current = card.current?.contains(document.activeElement) ?? false;
      const { sessionId, callId } = shown;
      await client.approvals.answerQuestion({ sessionId, callId, answer: words });
    },
    [client, shown],
  );
  const press = (event: KeyboardEvent): void => {
    // Esc leaves the card and answers nothing; it must not reach what stops the turn.
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    onLeave();
  };
  return (
    <>
      <p className="visually-hidden" role="alert">
        {shown !== null && `The model asks: ${shown.question}. Press F6 to answer.`}
      </p>
      {shown !== null && (
        <div className={styles['queue']} onKeyDown={press}>
          <QuestionCard key={shown.callId} ref={card} question={shown} count={questions.length} onAnswer={answer} />
          <p className={styles['hint']}>
            <Kbd keys="F6" /> to answer from the keyboard, <Kbd keys="Esc" /> to go back to your message
          </p>
        </div>
      )}
    </>
  );
}
