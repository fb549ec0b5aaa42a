// All that is known of one call: what was asked, who answered, what it printed or changed.
import { useEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { WireError } from '../../../src-main/contract/errors.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import type { CallItem } from '../../state/transcript-items.ts';
import { DiffView } from '../../ui/diff/diff-view.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { LiveOutput } from '../../ui/live-output/live-output.tsx';
import { CopyButton } from '../../ui/markdown/code-block.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LongText } from '../../ui/text/long-text.tsx';
import { stripAnsi } from '../../ui/text/strip-ansi.ts';
import { InlineCode } from '../../ui/verbatim/verbatim.tsx';
import { verdictWords } from './describe-call.ts';
import { HiddenNote } from './hidden-note.tsx';
import { showClock } from '../../ui/show-time.ts';
import type { TranscriptActions } from './transcript-actions.ts';
import styles from './calls.module.css';

interface CallDetailsProps {
  readonly call: CallItem;
  readonly output: string | undefined;
  readonly actions: TranscriptActions;
}

/** JSON laid out over lines; anything else as it is. */
function layOut(argumentsText: string): string {
  try {
    return JSON.stringify(JSON.parse(argumentsText), null, 2);
  } catch (caught) {
    if (caught instanceof SyntaxError) return argumentsText;
    throw caught;
  }
}

function Part(props: { title: string; copy?: string; children: ReactNode }): ReactElement {
  return (
    <section className={styles['part']} aria-label={props.title}>
      <header className={styles['part-head']}>
        <span>{props.title}</span>
        {props.copy !== undefined && <CopyButton text={props.copy} label={`Copy ${props.title.toLowerCase()}`} />}
      </header>
      {props.children}
    </section>
  );
}

/** What was asked, as bytes: the command itself for commands, else the arguments. */
function Asked({ call }: { call: CallItem }): ReactElement {
  const preview = call.start?.data.preview ?? call.request?.data.preview;
  const { original, changed } = call.verdict?.data ?? {};
  const asked = layOut(changed ?? call.argumentsText);
  return (
    <>
      {preview?.type === 'command' && (
        <Part title="Command" copy={preview.command}>
          <div className={styles['box']}>
            <LongText text={preview.command} label="Command" verbatim limit={8192} />
          </div>
        </Part>
      )}
      {(preview?.type !== 'command' || changed !== undefined) && asked !== '' && (
        <Part title={changed === undefined ? 'Arguments' : 'Arguments, as changed by you'} copy={asked}>
          <div className={styles['box']}>
            <LongText text={asked} label="Arguments" verbatim limit={4096} />
          </div>
          <HiddenNote characters={changed === undefined ? (call.source?.hidden ?? 0) : 0} />
        </Part>
      )}
      {original !== undefined && (
        <Part title="Arguments, as the model wrote them">
          <div className={styles['box']}>
            <LongText text={layOut(original)} label="Original arguments" verbatim limit={4096} />
          </div>
        </Part>
      )}
    </>
  );
}

const sentence = (words: string): string =>
  words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;

function Verdict({ call }: { call: CallItem }): ReactElement | null {
  if (call.verdict === null) return null;
  const { data, atMs } = call.verdict;
  const who = verdictWords(data);
  const byPerson = data.by.who === 'person';
  const said = [
    who === '' ? '' : sentence(`${who} at ${showClock(atMs, Date.now())}`),
    byPerson && data.reason !== '' ? `Your reason: ${sentence(data.reason)}` : sentence(data.reason),
    data.confined ? 'Confined.' : '',
  ];
  return (
    <p className={styles['verdict']}>
      {said.filter((words) => words !== '').join(' ')}
      {data.digest !== '' && (
        <>
          {' '}
          On bytes <InlineCode text={data.digest.slice(0, 12)} />
        </>
      )}
    </p>
  );
}

/** Fetches what came trimmed of a call, once it is looked at. */
function useWholeCall(call: CallItem, actions: TranscriptActions): { loading: boolean; error: WireError | null } {
  const trimmed = [call.source, call.result].flatMap((entry) => (entry?.trimmed === true ? [entry.id] : [])).join(' ');
  const [error, setError] = useState<WireError | null>(null);
  const { loadEntry } = actions;
  useEffect(() => {
    if (trimmed === '') return;
    Promise.all(trimmed.split(' ').map(loadEntry)).catch((caught: unknown) => setError(wireErrorOf(caught)));
  }, [trimmed, loadEntry]);
  return { loading: trimmed !== '' && error === null, error };
}

function Result({ call }: { call: CallItem }): ReactElement | null {
  if (call.result === null) return null;
  const { content, changes } = call.result.data;
  const text = stripAnsi(content);
  return (
    <>
      {changes.map((change) => (
        <Part key={change.path} title={change.before === null ? `Created ${change.path}` : `Changed ${change.path}`}>
          <div className={styles['diff']}>
            <DiffView diff={change.diff} path={change.path} />
          </div>
        </Part>
      ))}
      {text !== '' && (
        <Part title="Result" copy={text}>
          <div className={styles['box']}>
            <LongText text={text} label="Result" verbatim limit={16_384} />
          </div>
        </Part>
      )}
      <HiddenNote characters={call.result.hidden ?? 0} />
    </>
  );
}

/** See the file's header. */
export function CallDetails({ call, output, actions }: CallDetailsProps): ReactElement {
  const { loading, error } = useWholeCall(call, actions);
  // What changed says more than the arguments that changed it.
  const changed = (call.result?.data.changes.length ?? 0) > 0;
  return (
    <div className={styles['details']}>
      {!changed && <Asked call={call} />}
      {call.result === null && output !== undefined && output !== '' && (
        <Part title="Output so far">
          <LiveOutput text={output} />
        </Part>
      )}
      <Result call={call} />
      {changed && <Asked call={call} />}
      {loading && <Spinner label="Loading all of it" withText />}
      {error !== null && <ErrorNote>{error.message}</ErrorNote>}
      <Verdict call={call} />
    </div>
  );
}
