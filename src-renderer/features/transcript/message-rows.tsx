// The rows of the transcript that are words: the person's messages, answers, reasoning, notices, ends of turns.
import { memo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { ChevronRight, Paperclip, Undo2 } from 'lucide-react';
import type { Attachment, EntryOf } from '../../../src-main/contract/entries.ts';
import type { TranscriptItem } from '../../state/transcript-items.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { MarkdownText } from '../../ui/markdown/markdown-text.tsx';
import { LongText } from '../../ui/text/long-text.tsx';
import { showSize } from '../../ui/text/cut-text.ts';
import { VisibleText } from '../../ui/verbatim/verbatim.tsx';
import { describeNotice } from './describe-notice.ts';
import { describeOutcome } from './describe-outcome.ts';
import { HiddenNote } from './hidden-note.tsx';
import { showClock, showElapsed } from '../../ui/show-time.ts';
import type { TranscriptActions } from './transcript-actions.ts';
import styles from './transcript.module.css';

type ItemOf<K extends TranscriptItem['kind']> = Extract<TranscriptItem, { kind: K }>;

/** Longer messages of the person are laid out in pieces. */
const LONGEST_MESSAGE = 12_000;

/** A message for screen readers: a heading with author and time, then the text. */
function Message(props: {
  author: string;
  atMs: number;
  className: string | undefined;
  children: ReactNode;
}): ReactElement {
  const time = showClock(props.atMs, Date.now());
  return (
    <article className={props.className}>
      <h2 className="visually-hidden">
        {props.author}, {time}
      </h2>
      {props.children}
    </article>
  );
}

/** Attachments as quiet chips with their size. */
export function AttachmentChips({ attachments }: { attachments: readonly Attachment[] }): ReactElement | null {
  if (attachments.length === 0) return null;
  return (
    <ul className={styles['chips']} aria-label="Attachments">
      {attachments.map((attachment) => (
        <li key={attachment.id} className={styles['chip']}>
          <Paperclip size={13} aria-hidden="true" />
          <span className={styles['chip-name']} title={attachment.name}>
            <VisibleText text={attachment.name} oneLine />
          </span>
          <span className={styles['quiet']}>
            {showSize(attachment.bytes)} · ~{attachment.tokens.toLocaleString('en')} tokens
          </span>
        </li>
      ))}
    </ul>
  );
}

export interface UserRowProps {
  readonly item: ItemOf<'user'>;
  readonly actions: Pick<TranscriptActions, 'rewindTo'>;
}

export const UserRow = memo(function UserRow({ item, actions }: UserRowProps): ReactElement {
  const { text, attachments } = item.entry.data;
  return (
    <Message author="You" atMs={item.atMs} className={styles['user']}>
      {text.length > LONGEST_MESSAGE ? (
        <LongText text={text} label="Your message" limit={LONGEST_MESSAGE} />
      ) : (
        text !== '' && (
          <p className={styles['plain']} dir="auto">
            {text}
          </p>
        )
      )}
      <AttachmentChips attachments={attachments} />
      <span className={styles['go-back']}>
        <IconButton
          label="Go back to before this message"
          icon={<Undo2 size={14} aria-hidden="true" />}
          onClick={() => actions.rewindTo(item.entry.id)}
        />
      </span>
    </Message>
  );
});

const CUT: Partial<Record<NonNullable<ItemOf<'answer'>['finish']>, string>> = {
  length: 'Cut here: the answer reached the length limit of the model. It is not whole.',
  cut: 'Cut here: the turn ended before the answer did. It is not whole.',
  refusal: 'The model declined to go on.',
  other: 'The model service ended the answer here, without saying why. It may not be whole.',
};

export interface AnswerRowProps {
  readonly item: ItemOf<'answer'>;
  readonly actions: TranscriptActions;
  /** It is the last word of the chat and nothing runs. */
  readonly last: boolean;
}

export const AnswerRow = memo(function AnswerRow({ item, actions, last }: AnswerRowProps): ReactElement {
  const cut = item.finish === null ? undefined : CUT[item.finish];
  return (
    <Message author="Warrant" atMs={item.atMs} className={styles['answer']}>
      <MarkdownText text={item.text} finished />
      <HiddenNote characters={item.hidden} />
      {cut !== undefined && (
        <ErrorNote
          level="warning"
          live={false}
          actions={
            last && (
              <Button size="small" onClick={actions.continueTurn}>
                Continue
              </Button>
            )
          }
        >
          {cut}
        </ErrorNote>
      )}
    </Message>
  );
});

/** Reasoning, folded. `live` = it still grows. */
export function ReasoningRow({ text, live }: { text: string; live: boolean }): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles['reasoning']}>
      <button type="button" className={styles['fold']} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={14} aria-hidden="true" className={classes(styles['chevron'], open && styles['turned'])} />
        {live ? 'Thinking' : 'Thought'}
        {!open && live && <span className={styles['peek']}>{text.slice(-160).split('\n').at(-1)}</span>}
      </button>
      {open && (
        <div className={styles['thoughts']}>
          <MarkdownText text={text} finished={!live} />
        </div>
      )}
    </div>
  );
}

/** Where something was set aside for the model: it opens to the note that stands there, and is taken back. */
function ReductionRow({ entry, actions }: { entry: EntryOf<'reduction'>; actions: TranscriptActions }): ReactElement {
  const [open, setOpen] = useState(false);
  const { fold, note } = entry.data;
  return (
    <div className={styles['reasoning']}>
      <button
        type="button"
        className={classes(styles['fold'], styles['aside'])}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={14} aria-hidden="true" className={classes(styles['chevron'], open && styles['turned'])} />
        <span>{describeNotice(entry)}</span>
      </button>
      {open && (
        <div className={styles['thoughts']}>
          <p>
            {fold === null
              ? 'Each result is told by its beginning; the model can read the rest.'
              : `What the model is told instead${note === 'model' ? ', in its own words' : ''}:`}
          </p>
          {fold !== null && (
            <p className={styles['verbatim']}>
              <VisibleText text={fold.text} />
            </p>
          )}
          <Button size="small" onClick={() => actions.undoReduction(entry.id)}>
            Send it again
          </Button>
        </div>
      )}
    </div>
  );
}

export const NoticeRow = memo(function NoticeRow(props: {
  item: ItemOf<'notice'>;
  actions: TranscriptActions;
}): ReactElement {
  const { item, actions } = props;
  if (item.entry.kind === 'reduction') return <ReductionRow entry={item.entry} actions={actions} />;
  return <p className={styles['notice']}>{describeNotice(item.entry)}</p>;
});

export interface TurnEndRowProps {
  readonly item: ItemOf<'turn-end'>;
  readonly actions: TranscriptActions;
  /** Nothing came after it and nothing runs: its buttons still make sense. */
  readonly last: boolean;
}

export const TurnEndRow = memo(function TurnEndRow({ item, actions, last }: TurnEndRowProps): ReactElement {
  const words = describeOutcome(item.outcome);
  const steps = item.steps === 1 ? '1 step' : `${item.steps} steps`;
  if (words === null) {
    return (
      <p className={styles['turn-end']}>
        {steps} · {showElapsed(item.durationMs)}
      </p>
    );
  }
  const buttons = last && (
    <>
      {words.goOn !== null && (
        <Button size="small" onClick={actions.continueTurn}>
          {words.goOn}
        </Button>
      )}
      {words.openSettings && (
        <Button size="small" onClick={actions.openSettings}>
          Open settings
        </Button>
      )}
    </>
  );
  return (
    <div className={styles['voice']}>
      <ErrorNote level={words.level} live={last} actions={buttons}>
        {words.message}
      </ErrorNote>
    </div>
  );
});
