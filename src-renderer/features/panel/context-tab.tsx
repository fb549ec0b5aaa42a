// What the model is sent next: each part in tokens, the largest results, what was set aside, and the exact request. Leaving
// out and pinning change the request alone; the transcript keeps everything.
import { useCallback, useState } from 'react';
import type { ReactElement } from 'react';
import { EyeOff, Pin, PinOff, Undo2 } from 'lucide-react';
import type { ContextItem, ContextView } from '../../../src-main/contract/context.ts';
import type { WireError } from '../../../src-main/contract/errors.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import type { Client } from '../../bridge/client.ts';
import type { ChatState } from '../../state/chat-state.ts';
import { useFetched } from '../../state/use-fetched.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { VisibleText } from '../../ui/verbatim/verbatim.tsx';
import { fillWords, partWords, reductionWords, tokens } from './describe-context.ts';
import panel from './panel.module.css';
import styles from './context-tab.module.css';

export interface ContextTabProps {
  readonly chat: ChatState;
  readonly client: Client;
}

function Parts({ view }: { view: ContextView }): ReactElement {
  return (
    <table className={styles['parts']}>
      <caption className="visually-hidden">Parts of the next request</caption>
      <tbody>
        {view.parts
          .filter(({ count }) => count > 0)
          .map((part) => (
            <tr key={part.name}>
              <th scope="row">{partWords(part)}</th>
              <td>{tokens(part.tokens)}</td>
            </tr>
          ))}
        <tr className={styles['sum']}>
          <th scope="row">Together, about</th>
          <td>{tokens(view.tokens)}</td>
        </tr>
      </tbody>
    </table>
  );
}

interface ItemLineProps {
  readonly item: ContextItem;
  readonly pinned: boolean;
  readonly resting: boolean;
  readonly onPin: (item: ContextItem, on: boolean) => void;
  readonly onLeaveOut: (item: ContextItem) => void;
}

function ItemLine({ item, pinned, resting, onPin, onLeaveOut }: ItemLineProps): ReactElement {
  return (
    <li className={styles['item']}>
      <span className={styles['words']} title={item.words}>
        <VisibleText text={item.words} oneLine />
      </span>
      <span className={panel['small']}>{tokens(item.tokens)}</span>
      <IconButton
        label={pinned ? `Unpin: ${item.words}` : `Pin, so that it is never set aside by itself: ${item.words}`}
        icon={pinned ? <PinOff size={14} aria-hidden="true" /> : <Pin size={14} aria-hidden="true" />}
        disabled={!resting}
        onClick={() => onPin(item, !pinned)}
      />
      {!pinned && (
        <IconButton
          label={`Leave out: ${item.words}`}
          icon={<EyeOff size={14} aria-hidden="true" />}
          disabled={!resting}
          onClick={() => onLeaveOut(item)}
        />
      )}
    </li>
  );
}

/** The exact request, fetched when it is asked for. */
function ExactRequest({ chat, client }: ContextTabProps): ReactElement {
  const [shown, setShown] = useState<{ json: string; total: number } | null>(null);
  const [error, setError] = useState<WireError | null>(null);
  const { sessionId } = chat;
  const read = (offset: number): void => {
    setError(null);
    client.context.readRequest({ sessionId, offset }).then(
      ({ json, total }) => setShown((known) => ({ json: (offset === 0 ? '' : (known?.json ?? '')) + json, total })),
      (caught: unknown) => setError(wireErrorOf(caught)),
    );
  };
  return (
    <section aria-label="The exact request">
      <div className={panel['snapshot-acts']}>
        <Button
          size="small"
          kind="quiet"
          aria-expanded={shown !== null}
          onClick={() => (shown === null ? read(0) : setShown(null))}
        >
          {shown === null ? 'Show the exact request' : 'Hide it'}
        </Button>
      </div>
      {error !== null && <ErrorNote>{error.message}</ErrorNote>}
      {shown !== null && (
        <>
          <pre className={panel['json']} tabIndex={0} aria-label="The next request as JSON">
            {shown.json}
          </pre>
          {shown.json.length < shown.total && (
            <Button size="small" onClick={() => read(shown.json.length)}>
              Show more of it
            </Button>
          )}
        </>
      )}
    </section>
  );
}

/** See the file's header. */
export function ContextTab({ chat, client }: ContextTabProps): ReactElement {
  const { sessionId, entries } = chat;
  const load = useCallback(() => client.context.read({ sessionId }), [client, sessionId]);
  const { value: view, error, retry } = useFetched(load, entries.at(-1)?.seq ?? 0);
  const [failure, setFailure] = useState<WireError | null>(null);
  const { status } = chat.summary;
  const resting = status !== 'running' && status !== 'waiting' && chat.heldBy === null && chat.folderProblem === null;
  const act = (work: Promise<unknown>): void => {
    setFailure(null);
    work.then(retry, (caught: unknown) => setFailure(wireErrorOf(caught)));
  };
  const pin = ({ callId }: ContextItem, on: boolean): void => {
    if (callId !== null) act(client.context.pin({ sessionId, callId, on }));
  };
  const leaveOut = ({ callId }: ContextItem): void => {
    if (callId !== null) act(client.context.leaveOut({ sessionId, callId }));
  };
  const shown = failure ?? error;
  return (
    <div className={panel['tab']}>
      {shown !== null && <ErrorNote>{shown.message}</ErrorNote>}
      {view === null && shown === null && <Spinner label="Loading what the model is sent" withText />}
      {view !== null && (
        <>
          <p className={panel['small']}>{fillWords(view)}</p>
          <Parts view={view} />
          {(view.pinned.length > 0 || view.items.length > 0) && (
            <ul className={styles['items']} aria-label="Results that it holds, the largest first">
              {[...view.pinned, ...view.items].map((item) => (
                <ItemLine
                  key={item.callId}
                  item={item}
                  pinned={view.pinned.includes(item)}
                  resting={resting}
                  onPin={pin}
                  onLeaveOut={leaveOut}
                />
              ))}
            </ul>
          )}
          {view.reductions.length > 0 && (
            <ul className={styles['items']} aria-label="What was set aside">
              {view.reductions.map((reduction) => (
                <li key={reduction.entryId} className={styles['item']}>
                  <span className={styles['words']}>{reductionWords(reduction)}</span>
                  <IconButton
                    label={`Send again: ${reductionWords(reduction)}`}
                    icon={<Undo2 size={14} aria-hidden="true" />}
                    disabled={!resting}
                    onClick={() => act(client.context.undo({ sessionId, entryId: reduction.entryId }))}
                  />
                </li>
              ))}
            </ul>
          )}
          <ExactRequest chat={chat} client={client} />
        </>
      )}
    </div>
  );
}
