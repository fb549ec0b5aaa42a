// What each turn of this chat changed in the project's files, by tools or by commands, and putting that back.
import { useCallback, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { ChevronRight, Undo2 } from 'lucide-react';
import type { Checkpoint, CheckpointFile, RestoreScope } from '../../../src-main/contract/checkpoints.ts';
import type { CheckpointId, SessionId } from '../../../src-main/contract/ids.ts';
import type { Client } from '../../bridge/client.ts';
import { useFetched } from '../../state/use-fetched.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { DiffView } from '../../ui/diff/diff-view.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { showClock } from '../../ui/show-time.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { InlineCode } from '../../ui/verbatim/verbatim.tsx';
import panel from './panel.module.css';
import styles from './turn-changes.module.css';

/** Asks for files to be put back: nothing happens before a person has seen which. */
export type AskRestore = (scope: RestoreScope, title: string) => void;

export interface TurnChangesProps {
  readonly sessionId: SessionId;
  readonly client: Client;
  readonly checkpoints: readonly Checkpoint[];
  readonly resting: boolean;
  readonly onRestore: AskRestore;
}

type TurnProps = Omit<TurnChangesProps, 'checkpoints'> & { readonly checkpoint: Checkpoint };

const CHANGES = { added: 'new', changed: '', removed: 'removed', mode: 'permissions' } as const;

function named({ turnId, text }: Checkpoint): string {
  if (turnId === null) return 'Files were put back';
  const line = text.trim().split('\n')[0] ?? '';
  return line === '' ? 'Went on' : line;
}

function counted({ changed, open, problem }: Checkpoint): string {
  if (problem !== null) return 'not kept';
  if (open) return 'running';
  if (changed === null) return 'cut';
  return changed === 1 ? '1 file' : `${changed.toLocaleString('en')} files`;
}

interface Opening {
  readonly head: ReactNode;
  readonly trailing?: ReactNode;
  readonly children: ReactNode;
}

function Foldable({ head, trailing, children }: Opening): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <li className={panel['file']}>
      <div className={styles['line']}>
        <button type="button" className={panel['file-line']} aria-expanded={open} onClick={() => setOpen(!open)}>
          <ChevronRight size={14} aria-hidden="true" className={classes(panel['chevron'], open && panel['turned'])} />
          {head}
        </button>
        {trailing}
      </div>
      {open && <div className={styles['inside']}>{children}</div>}
    </li>
  );
}

interface FileDiffProps {
  readonly sessionId: SessionId;
  readonly client: Client;
  readonly checkpointId: CheckpointId;
  readonly path: string;
}

function FileDiff({ sessionId, client, checkpointId, path }: FileDiffProps): ReactElement {
  const load = useCallback(
    () => client.checkpoints.readDiff({ sessionId, checkpointId, path }),
    [client, sessionId, checkpointId, path],
  );
  const { value, error } = useFetched(load, 0);
  if (error !== null) return <ErrorNote>{error.message}</ErrorNote>;
  if (value === null) return <Spinner label="Loading the change" withText />;
  if (value.diff === null) return <p className={panel['small']}>{value.note}</p>;
  return (
    <div className={panel['diff']} tabIndex={0} role="region" aria-label={`Change of ${path.toWellFormed()}`}>
      <DiffView diff={value.diff} path={path.toWellFormed()} limit={200} />
    </div>
  );
}

interface FileLineProps extends Omit<FileDiffProps, 'path'>, Pick<TurnProps, 'resting' | 'onRestore'> {
  readonly file: CheckpointFile;
}

function FileLine({ file, resting, onRestore, ...of }: FileLineProps): ReactElement {
  const { path } = file;
  const name = path.toWellFormed();
  return (
    <Foldable
      head={
        <>
          <span className={panel['file-path']}>
            <InlineCode text={path} />
          </span>
          {CHANGES[file.change] !== '' && <span className={panel['small']}>{CHANGES[file.change]}</span>}
          {file.added !== null && file.removed !== null && (
            <span className={panel['counts']}>
              <span className={panel['added']}>+{file.added}</span>{' '}
              <span className={panel['removed']}>−{file.removed}</span>
            </span>
          )}
        </>
      }
      trailing={
        <IconButton
          label={file.blocked ?? `Put ${name} back to before this turn`}
          icon={<Undo2 size={14} aria-hidden="true" />}
          disabled={!resting || file.blocked !== null}
          onClick={() => onRestore({ type: 'file', checkpointId: of.checkpointId, path }, `Put ${name} back`)}
        />
      }
    >
      <FileDiff {...of} path={path} />
    </Foldable>
  );
}

function TurnFiles({
  checkpointId,
  ...props
}: Omit<TurnProps, 'checkpoint'> & { checkpointId: CheckpointId; isTurn: boolean }): ReactElement {
  const { client, sessionId, resting, onRestore, isTurn } = props;
  const load = useCallback(
    () => client.checkpoints.readChanges({ sessionId, checkpointId }),
    [client, sessionId, checkpointId],
  );
  const { value, error } = useFetched(load, 0);
  if (error !== null) return <ErrorNote>{error.message}</ErrorNote>;
  if (value === null) return <Spinner label="Comparing the files" withText />;
  const title = isTurn ? 'Put back what this turn changed' : 'Take back what was put back';
  return (
    <>
      {value.length === 0 && <p className={panel['small']}>Nothing changed.</p>}
      <ul aria-label="Files of this turn">
        {value.map((file) => (
          <FileLine key={file.path} {...{ file, client, sessionId, checkpointId, resting, onRestore }} />
        ))}
      </ul>
      <div className={styles['acts']}>
        <Button size="small" disabled={!resting} onClick={() => onRestore({ type: 'turn', checkpointId }, title)}>
          {isTurn ? 'Put back…' : 'Take back…'}
        </Button>
        <Button
          size="small"
          disabled={!resting}
          onClick={() => onRestore({ type: 'since', checkpointId }, 'Put everything back to before this')}
        >
          Everything since…
        </Button>
      </div>
    </>
  );
}

function Turn({ checkpoint, ...props }: TurnProps): ReactElement {
  const { id, problem, skipped, atMs } = checkpoint;
  return (
    <Foldable
      head={
        <>
          <span className={styles['turn']}>
            <span className={styles['text']} dir="auto">
              {named(checkpoint)}
            </span>
            <span className={panel['small']}>
              <span className={classes(problem !== null && panel['wait'])}>{counted(checkpoint)}</span> ·{' '}
              {showClock(atMs, Date.now())}
            </span>
          </span>
        </>
      }
    >
      {problem !== null && (
        <p className={panel['wait']}>The files were not kept, so this cannot be put back: {problem}</p>
      )}
      {skipped > 0 && (
        <p className={panel['small']}>
          {skipped === 1 ? 'One file is' : `${skipped} files are`} too large or could not be read, and not kept.
        </p>
      )}
      {id !== null && <TurnFiles {...props} checkpointId={id} isTurn={checkpoint.turnId !== null} />}
    </Foldable>
  );
}

/** See the file's header. */
export function TurnChanges({ checkpoints, ...props }: TurnChangesProps): ReactElement {
  return (
    <ul aria-label="Turns that changed files">
      {checkpoints.map((checkpoint) => (
        <Turn key={checkpoint.id ?? `failed ${String(checkpoint.atMs)}`} checkpoint={checkpoint} {...props} />
      ))}
    </ul>
  );
}
