// The approvals of a chat that wait: one card at a time, the others counted and reachable. Keeps the one that is shown,
// takes the focus only when asked (F6, Ctrl+Shift+A), and gives it back.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import type { Approval } from '../../../src-main/contract/session.ts';
import type { Client } from '../../bridge/client.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { ApprovalCard } from './approval-card.tsx';
import type { Answer } from './approval-card.tsx';
import { chooseShown } from './card-state.ts';
import { describeApproval } from './describe-approval.ts';
import { useAnswerKey } from './use-answer-key.ts';
import styles from './approval-card.module.css';

export interface ApprovalQueueProps {
  /** Oldest first. */
  readonly approvals: readonly Approval[];
  readonly client: Client;
  /** Gives the focus back to where messages are written. */
  readonly onLeave: () => void;
}

/** Keeps the focus among the cards when one that had it is answered, and lets it go after the last. */
function useFocusAfterAnswer(
  card: React.RefObject<HTMLDivElement | null>,
  shownId: string | null,
  onLeave: () => void,
): () => void {
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!hadFocus.current) return;
    hadFocus.current = false;
    if (shownId === null) onLeave();
    else card.current?.focus({ preventScroll: true });
  }, [card, shownId, onLeave]);
  return useCallback(() => {
    hadFocus.current = card.current?.contains(document.activeElement) ?? false;
  }, [card]);
}

/** See the file's header. Draws nothing when nothing waits. */
export function ApprovalQueue({ approvals, client, onLeave }: ApprovalQueueProps): ReactElement | null {
  const card = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<{ callId: string; place: number } | null>(null);
  const shown = chooseShown(approvals, chosen?.callId ?? null, chosen?.place ?? 0);
  const place = shown === null ? 0 : approvals.indexOf(shown);
  if (shown !== null && (shown.callId !== chosen?.callId || place !== chosen.place))
    setChosen({ callId: shown.callId, place });
  useAnswerKey(card, { enabled: true, onLeave });
  const keepFocus = useFocusAfterAnswer(card, shown?.callId ?? null, onLeave);

  const answer = useCallback(
    async ({ reason = '', ...given }: Answer): Promise<void> => {
      if (shown === null) return;
      keepFocus();
      await client.approvals.answer({
        sessionId: shown.sessionId,
        callId: shown.callId,
        digest: shown.digest,
        reason,
        ...given,
      });
    },
    [client, shown, keepFocus],
  );
  const step = (by: 1 | -1): void => {
    const next = approvals[place + by];
    if (next) setChosen({ callId: next.callId, place: place + by });
  };
  const press = (event: KeyboardEvent): void => {
    // Esc leaves the card and answers nothing; it must not reach what stops the turn.
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    onLeave();
  };

  return (
    <>
      <p className="visually-hidden" role="alert">
        {shown !== null &&
          `Approval needed${approvals.length > 1 ? `, ${approvals.length} waiting` : ''}: ${describeApproval(shown).verb}. Press F6 to answer.`}
      </p>
      {shown !== null && (
        <div className={styles['queue']} onKeyDown={press}>
          <ApprovalCard
            key={`${shown.callId} ${shown.digest}`}
            ref={card}
            approval={shown}
            place={place + 1}
            count={approvals.length}
            onAnswer={answer}
            onStep={step}
          />
          <p className={styles['hint']}>
            <Kbd keys="F6" /> to answer from the keyboard, <Kbd keys="Esc" /> to go back to your message
          </p>
        </div>
      )}
    </>
  );
}
