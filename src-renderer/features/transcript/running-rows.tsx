// The end of the transcript while a turn goes on: text that still grows, what the model is writing, a wait for another
// try, and messages that wait for their turn.
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { X } from 'lucide-react';
import type { QueueItem } from '../../../src-main/contract/session.ts';
import type { RetryNote, RunningStep } from '../../state/chat-state.ts';
import { classes } from '../../ui/classes.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { MarkdownText } from '../../ui/markdown/markdown-text.tsx';
import { showSize } from '../../ui/text/cut-text.ts';
import { useDelayed } from '../../ui/use-delayed.ts';
import { AttachmentChips, ReasoningRow } from './message-rows.tsx';
import styles from './transcript.module.css';

/** What the running step has so far; `busy` = a turn runs and nothing else tells of it. */
export function RunningRow({ running, busy }: { running: RunningStep | null; busy: boolean }): ReactElement | null {
  const text = running?.text ?? '';
  const reasoning = running?.reasoning ?? '';
  const draft = running?.drafts.at(-1);
  const idle = useDelayed(busy && text === '' && draft === undefined);
  return (
    <>
      {reasoning !== '' && (
        <div className={styles['row']}>
          <ReasoningRow text={reasoning} live={text === ''} />
        </div>
      )}
      {text !== '' && (
        <div className={styles['row']} aria-busy="true">
          <article className={styles['answer']}>
            <h2 className="visually-hidden">Warrant, now</h2>
            <MarkdownText text={text} finished={false} />
          </article>
        </div>
      )}
      {draft !== undefined && (
        <p className={styles['working']}>
          Preparing {draft.name}
          {draft.bytes > 1024 && ` · ${showSize(draft.bytes)}`}
        </p>
      )}
      {idle && <p className={styles['working']}>Working</p>}
    </>
  );
}

/** Counts down to the next try. */
export function RetryRow({ retry }: { retry: RetryNote }): ReactElement {
  const endsAtMs = retry.atMs + retry.waitMs;
  const [nowMs, setNowMs] = useState(Date.now);
  const left = Math.max(0, Math.ceil((endsAtMs - nowMs) / 1000));
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setNowMs(Date.now()), 1000);
    return () => clearTimeout(timer);
  }, [left, nowMs]);
  return (
    <div className={classes(styles['row'], styles['voice'])}>
      <ErrorNote level="warning" live={false}>
        {retry.error.message} {left > 0 ? `Trying again in ${left} s` : 'Trying again now'} (attempt {retry.attempt}).
      </ErrorNote>
    </div>
  );
}

interface QueuedRowsProps {
  readonly queue: readonly QueueItem[];
  /** A turn runs or waits, after which they are sent; otherwise they wait for the person to go on. */
  readonly open: boolean;
  readonly onRemove: (queueId: string) => void;
}

/** Messages that wait, in their order. */
export function QueuedRows(props: QueuedRowsProps): ReactElement {
  const when = props.open ? 'sent when the answer is done' : 'sent before your next message, or when you continue';
  return (
    <>
      {props.queue.map((item) => (
        <div key={item.queueId} className={styles['row']}>
          <article className={styles['queued']} aria-label="Queued message">
            <div className={styles['queued-head']}>
              <span>Queued: {when}</span>
              <IconButton
                size="small"
                label="Remove from the queue"
                icon={<X size={14} aria-hidden="true" />}
                onClick={() => props.onRemove(item.queueId)}
              />
            </div>
            <p className={styles['plain']} dir="auto">
              {item.text.length > 2000 ? `${item.text.slice(0, 2000)} …` : item.text}
            </p>
            <AttachmentChips attachments={item.attachments} />
          </article>
        </div>
      ))}
    </>
  );
}
