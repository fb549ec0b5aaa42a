// One call, or a run of similar ones folded into one line with their number.
import { memo } from 'react';
import type { ReactElement } from 'react';
import type { CallItem, TranscriptItem } from '../../state/transcript-items.ts';
import { InlineCode } from '../../ui/verbatim/verbatim.tsx';
import { CallLine, shortObject, StateIcon } from './call-line.tsx';
import { describeCall } from './describe-call.ts';
import { showElapsed } from '../../ui/show-time.ts';
import type { TranscriptActions } from './transcript-actions.ts';
import styles from './calls.module.css';

type CallsItem = Extract<TranscriptItem, { kind: 'calls' }>;

export interface CallsRowProps {
  readonly item: CallsItem;
  /** Keys of what is open: call ids, and the item's own key for a folded run. */
  readonly open: ReadonlySet<string>;
  readonly outputs: Readonly<Record<string, string>>;
  /** No turn runs, here or elsewhere. */
  readonly idle: boolean;
  readonly onToggle: (key: string) => void;
  readonly actions: TranscriptActions;
}

/** How many objects a folded run names. */
const NAMED = 2;

function RunLine({ item, open, onToggle }: Pick<CallsRowProps, 'item' | 'onToggle'> & { open: boolean }): ReactElement {
  const words = item.calls.map((call) => describeCall(call));
  const objects = [...new Set(words.map((one) => one.object).filter((object) => object !== ''))];
  const more = item.calls.length - Math.min(NAMED, objects.length);
  const durationMs = words.reduce((sum, one) => sum + (one.durationMs ?? 0), 0);
  return (
    <button type="button" className={styles['line']} aria-expanded={open} onClick={() => onToggle(item.key)}>
      <StateIcon state="ok" open={open} />
      <span className={styles['words']}>
        {words[0]?.verb}{' '}
        {objects.slice(0, NAMED).map((object, index) => (
          <span key={object}>
            {index > 0 && ', '}
            <InlineCode text={shortObject(object)} />
          </span>
        ))}
        {more > 0 && (objects.length === 0 ? `${item.calls.length} times` : ` and ${more} more`)}
      </span>
      <span className={styles['time']}>{showElapsed(durationMs)}</span>
    </button>
  );
}

/** See the file's header. */
export const CallsRow = memo(function CallsRow({
  item,
  open,
  outputs,
  idle,
  onToggle,
  actions,
}: CallsRowProps): ReactElement {
  const line = (call: CallItem): ReactElement => (
    <CallLine
      key={call.callId}
      call={call}
      open={open.has(call.callId)}
      idle={idle}
      output={call.result === null ? outputs[call.callId] : undefined}
      onToggle={onToggle}
      actions={actions}
    />
  );
  const [only] = item.calls;
  if (item.calls.length === 1 && only !== undefined) return <div className={styles['calls']}>{line(only)}</div>;
  const runOpen = open.has(item.key);
  return (
    <div className={styles['calls']}>
      <RunLine item={item} open={runOpen} onToggle={onToggle} />
      {runOpen && <div className={styles['run']}>{item.calls.map(line)}</div>}
    </div>
  );
});
