// The shell that a chat holds open, as one quiet line above the composer: what runs in it, and its end. Opened, it shows the
// last output and takes a line for what runs. Invariant: what a command wrote is text and draws nothing.
import { useId, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { ChevronRight, SquareTerminal } from 'lucide-react';
import type { WireError } from '../../../src-main/contract/errors.ts';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import type { SeenShell } from '../../../src-main/contract/session.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import type { Client } from '../../bridge/client.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextInput } from '../../ui/field.tsx';
import { LiveOutput } from '../../ui/live-output/live-output.tsx';
import { VisibleText } from '../../ui/verbatim/verbatim.tsx';
import styles from './shell-strip.module.css';

export interface ShellStripProps {
  readonly sessionId: SessionId;
  readonly shell: SeenShell;
  readonly client: Client;
  /** Gives the focus back to where messages are written. */
  readonly onLeave: () => void;
}

/** Half a sentence on what it may reach. */
function reachOf({ confined, network }: SeenShell): string {
  if (!confined) return 'not confined';
  return network ? 'confined, with the network' : 'confined';
}

/** See the file's header. */
export function ShellStrip({ sessionId, shell, client, onLeave }: ShellStripProps): ReactElement {
  const [open, setOpen] = useState(false);
  const [stopping, setStopping] = useState(false);
  const [error, setError] = useState<WireError | null>(null);
  const details = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const attempt = (work: Promise<void>): Promise<void> =>
    work.catch((caught: unknown) => setError(wireErrorOf(caught)));
  const stop = (): void => {
    setStopping(true);
    setError(null);
    // Its line goes away with it, and the focus must not be lost with that.
    onLeave();
    void attempt(client.shells.stop({ sessionId })).then(() => setStopping(false));
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    // Esc must not reach what stops the turn.
    event.stopPropagation();
    if (open) toggle.current?.focus();
    else onLeave();
    setOpen(false);
  };
  return (
    <section className={styles['strip']} aria-label="Shell" onKeyDown={press}>
      <div className={styles['box']}>
        <div className={styles['line']}>
          <button
            ref={toggle}
            type="button"
            className={styles['toggle']}
            aria-expanded={open}
            aria-controls={details}
            onClick={() => setOpen(!open)}
          >
            <ChevronRight size={14} aria-hidden className={styles['chevron']} />
            <SquareTerminal size={16} aria-hidden />
            <span className={styles['what']}>
              {shell.running ? 'Shell runs ' : 'Shell waits, after '}
              <code>
                <VisibleText text={shell.command} oneLine />
              </code>
            </span>
            <span className={styles['reach']}>{reachOf(shell)}</span>
          </button>
          <Button size="small" kind="quiet" busy={stopping} onClick={stop}>
            {shell.running ? 'Stop it' : 'End it'}
          </Button>
        </div>
        <div id={details} hidden={!open} className={styles['details']}>
          {open && <ShellDetails sessionId={sessionId} shell={shell} client={client} onFailed={setError} />}
        </div>
        {error !== null && <ErrorNote>{error.message}</ErrorNote>}
      </div>
    </section>
  );
}

interface ShellDetailsProps extends Pick<ShellStripProps, 'sessionId' | 'shell' | 'client'> {
  readonly onFailed: (error: WireError | null) => void;
}

function ShellDetails({ sessionId, shell, client, onFailed }: ShellDetailsProps): ReactElement {
  const [line, setLine] = useState('');
  const send = (): void => {
    onFailed(null);
    const given = line;
    setLine('');
    client.shells.send({ sessionId, line: given }).catch((caught: unknown) => {
      setLine((now) => (now === '' ? given : now));
      onFailed(wireErrorOf(caught));
    });
  };
  return (
    <>
      {shell.recent.trim() === '' ? (
        <p className={styles['none']}>No output so far.</p>
      ) : (
        <LiveOutput text={shell.recent} />
      )}
      <div className={styles['give']}>
        <TextInput
          mono
          value={line}
          maxLength={10_000}
          disabled={!shell.running}
          aria-label="Line for what runs"
          placeholder={shell.running ? 'A line for what runs' : 'Nothing runs in it'}
          onChange={setLine}
          onEnter={send}
        />
        <Button disabled={!shell.running} shortcut="Enter" onClick={send}>
          Send
        </Button>
      </div>
    </>
  );
}
