// What this chat changed: each turn's files with what puts them back, and each file that tools changed, in order.
import { useCallback, useState } from 'react';
import type { ReactElement } from 'react';
import { ChevronRight, FileDiff } from 'lucide-react';
import type { CheckpointList } from '../../../src-main/contract/checkpoints.ts';
import type { ChangedFile } from '../../../src-main/contract/session.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { DiffView } from '../../ui/diff/diff-view.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { InlineCode } from '../../ui/verbatim/verbatim.tsx';
import type { ChatState } from '../../state/chat-state.ts';
import { useFetched, type Fetched } from '../../state/use-fetched.ts';
import { TurnChanges, type TurnChangesProps } from './turn-changes.tsx';
import styles from './panel.module.css';
import turns from './turn-changes.module.css';

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

function kindOf(file: ChangedFile): string {
  const first = file.changes[0]?.change;
  const last = file.changes.at(-1)?.change;
  if (last?.after === null) return 'removed';
  return first?.before === null ? 'new' : '';
}

function FileRow({ file }: { file: ChangedFile }): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <li className={styles['file']}>
      <button type="button" className={styles['file-line']} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={14} aria-hidden="true" className={classes(styles['chevron'], open && styles['turned'])} />
        <span className={styles['file-path']}>
          <InlineCode text={file.path} />
        </span>
        {kindOf(file) !== '' && <span className={styles['small']}>{kindOf(file)}</span>}
        <span className={styles['counts']}>
          <span className={styles['added']}>+{file.added}</span>{' '}
          <span className={styles['removed']}>−{file.removed}</span>
        </span>
      </button>
      {open &&
        file.changes.map(({ callId, atMs, change }) => (
          <div key={callId} className={styles['one-change']}>
            {file.changes.length > 1 && <p className={styles['small']}>{clock.format(atMs)}</p>}
            <div className={styles['diff']} tabIndex={0} role="region" aria-label={`Change of ${file.path}`}>
              <DiffView diff={change.diff} path={change.path} limit={200} />
            </div>
          </div>
        ))}
    </li>
  );
}

export interface ChangesTabProps extends Pick<TurnChangesProps, 'client' | 'onRestore'> {
  readonly chat: ChatState;
  readonly changes: Fetched<ChangedFile[]>;
}

/** The newest entry after which what turns changed in files may be something else. */
function newestTurnSeq(entries: ChatState['entries']): number {
  const kinds = new Set(['checkpoint', 'files-restore', 'turn-end', 'rewind']);
  return entries.findLast(({ kind }) => kinds.has(kind))?.seq ?? 0;
}

interface TurnsProps extends Omit<ChangesTabProps, 'changes'> {
  readonly list: CheckpointList;
}

/** Turns that changed nothing are not worth a line. */
const worthwhile = (list: CheckpointList): CheckpointList['checkpoints'] =>
  list.checkpoints.filter(({ changed }) => changed !== 0);

function Turns({ chat, client, list, onRestore }: TurnsProps): ReactElement {
  const { sessionId, summary, heldBy } = chat;
  const checkpoints = worthwhile(list);
  const resting = summary.status !== 'running' && summary.status !== 'waiting' && heldBy === null;
  return (
    <>
      {list.off !== null && <p className={styles['small']}>{list.off} What turns change cannot be put back.</p>}
      {checkpoints.length > 0 && (
        <section aria-label="By turn">
          <h3 className={turns['head']}>By turn, commands included</h3>
          <TurnChanges {...{ sessionId, client, checkpoints, resting, onRestore }} />
        </section>
      )}
    </>
  );
}

/** See the file's header. */
export function ChangesTab({ changes, ...props }: ChangesTabProps): ReactElement {
  const { value, error, retry } = changes;
  const { client, chat } = props;
  const { sessionId, entries } = chat;
  const load = useCallback(() => client.checkpoints.list({ sessionId }), [client, sessionId]);
  const kept = useFetched(load, newestTurnSeq(entries));
  const nothing = value?.length === 0 && kept.value !== null && worthwhile(kept.value).length === 0;
  return (
    <div className={styles['tab']}>
      {kept.error !== null && <ErrorNote>{kept.error.message}</ErrorNote>}
      {kept.value !== null && <Turns {...props} list={kept.value} />}
      {error !== null && (
        <ErrorNote
          actions={
            <Button size="small" onClick={retry}>
              Try again
            </Button>
          }
        >
          {error.message}
        </ErrorNote>
      )}
      {value === null && error === null && <Spinner label="Loading changes" withText />}
      {nothing && (
        <EmptyState icon={<FileDiff size={20} aria-hidden="true" />} title="Nothing changed yet">
          Files that this chat writes or edits are listed here, with what changed in them.
        </EmptyState>
      )}
      {value !== null && value.length > 0 && (
        <section aria-label="By file">
          <h3 className={turns['head']}>By file, as tools changed them</h3>
          <ul className={styles['files']} aria-label="Changed files">
            {value.map((file) => (
              <FileRow key={file.path} file={file} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
