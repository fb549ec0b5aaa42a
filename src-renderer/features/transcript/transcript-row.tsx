// Chooses how an item of the transcript is drawn.
import { memo } from 'react';
import type { ReactElement } from 'react';
import type { TranscriptItem } from '../../state/transcript-items.ts';
import { classes } from '../../ui/classes.ts';
import { CallsRow } from './calls-row.tsx';
import type { CallsRowProps } from './calls-row.tsx';
import { AnswerRow, NoticeRow, ReasoningRow, TurnEndRow, UserRow } from './message-rows.tsx';
import styles from './transcript.module.css';

export interface TranscriptRowProps extends Omit<CallsRowProps, 'item'> {
  readonly item: TranscriptItem;
  /** The next row belongs close to this one. */
  readonly tight: boolean;
  /** Nothing comes after it and nothing runs. */
  readonly last: boolean;
}

const NO_OUTPUTS: Readonly<Record<string, string>> = {};

function draw({ item, last, open, outputs, idle, onToggle, actions }: TranscriptRowProps): ReactElement {
  switch (item.kind) {
    case 'user':
      return <UserRow item={item} actions={actions} />;
    case 'reasoning':
      return <ReasoningRow text={item.text} live={false} />;
    case 'answer':
      return <AnswerRow item={item} actions={actions} last={last} />;
    case 'calls': {
      const live = item.calls.some((call) => call.result === null);
      return (
        <CallsRow
          item={item}
          open={open}
          outputs={live ? outputs : NO_OUTPUTS}
          idle={live && idle}
          onToggle={onToggle}
          actions={actions}
        />
      );
    }
    case 'notice':
      return <NoticeRow item={item} actions={actions} />;
    case 'turn-end':
      return <TurnEndRow item={item} actions={actions} last={last} />;
  }
}

/** See the file's header. */
export const TranscriptRow = memo(function TranscriptRow(props: TranscriptRowProps): ReactElement {
  return <div className={classes(styles['row'], props.tight && styles['tight'])}>{draw(props)}</div>;
});
