// One call as one quiet line: icon, verb, object, outcome, time. It opens in place to all that is known of it.
import { memo } from 'react';
import type { ReactElement } from 'react';
import { ChevronRight, CircleDashed, CircleSlash, CircleX, Hourglass } from 'lucide-react';
import type { CallItem } from '../../state/transcript-items.ts';
import { classes } from '../../ui/classes.ts';
import { InlineCode } from '../../ui/verbatim/verbatim.tsx';
import { CallDetails } from './call-details.tsx';
import { describeCall } from './describe-call.ts';
import type { CallState, CallWords } from './describe-call.ts';
import { showElapsed } from '../../ui/show-time.ts';
import type { TranscriptActions } from './transcript-actions.ts';
import styles from './calls.module.css';

export interface CallLineProps {
  readonly call: CallItem;
  readonly open: boolean;
  /** No turn runs: a call without a result was cut. */
  readonly idle: boolean;
  /** Live output, while it runs. */
  readonly output: string | undefined;
  readonly onToggle: (key: string) => void;
  readonly actions: TranscriptActions;
}

const STATES: Readonly<Record<CallState, string>> = {
  waiting: 'waits for you',
  running: 'running',
  ok: '',
  bad: 'did not work',
  stopped: 'stopped',
};

/** Objects longer than this are cut in the line; opening it shows all. */
const LONGEST_OBJECT = 200;

export function StateIcon({ state, open }: { state: CallState; open: boolean }): ReactElement {
  const shared = { size: 14, 'aria-hidden': true } as const;
  if (state === 'running') return <CircleDashed {...shared} className={styles['spin']} />;
  if (state === 'waiting') return <Hourglass {...shared} className={styles['wait']} />;
  if (state === 'bad') return <CircleX {...shared} className={styles['bad']} />;
  if (state === 'stopped') return <CircleSlash {...shared} />;
  return <ChevronRight {...shared} className={classes(styles['chevron'], open && styles['turned'])} />;
}

/** The first line of an object, cut where it is long: the rest is one click away. */
export function shortObject(object: string): string {
  const line = object.split('\n', 1)[0] ?? '';
  const cut = line.length > LONGEST_OBJECT ? line.slice(0, LONGEST_OBJECT) : line;
  return cut.length < object.trimEnd().length ? `${cut} …` : cut;
}

function Facts({ words }: { words: CallWords }): ReactElement {
  return (
    <>
      {words.added > 0 && <span className={styles['added']}> +{words.added}</span>}
      {words.removed > 0 && <span className={styles['removed']}> −{words.removed}</span>}
      {words.facts.map((fact) => (
        <span key={fact} className={styles['fact']}>
          {' '}
          · {fact}
        </span>
      ))}
    </>
  );
}

/** See the file's header. */
export const CallLine = memo(function CallLine(props: CallLineProps): ReactElement {
  const { call, open, idle, output, onToggle, actions } = props;
  const words = describeCall(call, idle);
  return (
    <div className={styles['call']}>
      <button type="button" className={styles['line']} aria-expanded={open} onClick={() => onToggle(call.callId)}>
        <StateIcon state={words.state} open={open} />
        <span className={classes(styles['words'], words.state === 'bad' && styles['failed'])}>
          {words.verb} {words.object !== '' && <InlineCode text={shortObject(words.object)} />}
          <Facts words={words} />
          <span className="visually-hidden">{STATES[words.state] === '' ? '' : `, ${STATES[words.state]}`}</span>
        </span>
        {words.durationMs !== null && <span className={styles['time']}>{showElapsed(words.durationMs)}</span>}
      </button>
      {open && <CallDetails call={call} output={output} actions={actions} />}
      {!open && output !== undefined && output !== '' && <LastLine output={output} />}
    </div>
  );
});

/** The newest line of what a running command prints, so that one sees it live without opening it. */
function LastLine({ output }: { output: string }): ReactElement {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  return (
    <div className={styles['live']} aria-hidden="true">
      <InlineCode text={line.slice(0, LONGEST_OBJECT)} />
    </div>
  );
}
