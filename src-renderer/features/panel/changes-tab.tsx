// The files that this chat changed, each with its changes in order.
import { useState } from 'react';
import type { ReactElement } from 'react';
import { ChevronRight, FileDiff } from 'lucide-react';
import type { ChangedFile } from '../../../src-main/contract/session.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { DiffView } from '../../ui/diff/diff-view.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { InlineCode } from '../../ui/verbatim/verbatim.tsx';
import type { Fetched } from '../../state/use-fetched.ts';
import styles from './panel.module.css';

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

/** See the file's header. */
export function ChangesTab({ changes }: { changes: Fetched<ChangedFile[]> }): ReactElement {
  const { value, error, retry } = changes;
  return (
    <div className={styles['tab']}>
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
      {value?.length === 0 && (
        <EmptyState icon={<FileDiff size={20} aria-hidden="true" />} title="Nothing changed yet">
          Files that this chat writes or edits are listed here, with what changed in them.
        </EmptyState>
      )}
      {value !== null && value.length > 0 && (
        <ul className={styles['files']} aria-label="Changed files">
          {value.map((file) => (
            <FileRow key={file.path} file={file} />
          ))}
        </ul>
      )}
    </div>
  );
}
