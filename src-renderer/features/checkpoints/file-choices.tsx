// The files that would be put back, each with what happens to it, to be chosen from.
import { useState } from 'react';
import type { ReactElement } from 'react';
import type { CheckpointFile } from '../../../src-main/contract/checkpoints.ts';
import { Button } from '../../ui/button.tsx';
import { InlineCode } from '../../ui/verbatim/verbatim.tsx';
import { countFiles, describeBack } from './describe-file.ts';
import styles from './checkpoints.module.css';

/** So many rows are drawn; the rest is chosen or not as one. */
const MOST_ROWS = 200;

export interface FileChoicesProps {
  readonly files: readonly CheckpointFile[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  /** What is taken back. */
  readonly by?: string;
}

interface GroupProps extends FileChoicesProps {
  readonly title: string;
  readonly about: string | null;
}

function Row({
  file,
  checked,
  onChange,
}: {
  file: CheckpointFile;
  checked: boolean;
  onChange: () => void;
}): ReactElement {
  return (
    <li className={styles['choice']}>
      <label>
        <input type="checkbox" checked={checked} disabled={file.blocked !== null} onChange={onChange} />
        <span className={styles['path']}>
          <InlineCode text={file.path} />
        </span>
        <span className={styles['what']}>{file.blocked ?? describeBack(file)}</span>
        {file.again && file.blocked === null && <span className={styles['again']}>changed again since</span>}
        {file.added !== null && file.removed !== null && (
          <span className={styles['counts']}>
            <span className={styles['added']}>+{file.added}</span>{' '}
            <span className={styles['removed']}>−{file.removed}</span>
          </span>
        )}
      </label>
    </li>
  );
}

function Group({ title, about, files, chosen, onChoose }: GroupProps): ReactElement | null {
  const [all, setAll] = useState(false);
  const possible = files.filter((file) => file.blocked === null);
  if (files.length === 0) return null;
  const on = possible.filter((file) => chosen.has(file.path)).length;
  const choose = (paths: readonly string[], want: boolean): void => {
    const next = new Set(chosen);
    for (const path of paths) {
      if (want) next.add(path);
      else next.delete(path);
    }
    onChoose(next);
  };
  const shown = all ? files : files.slice(0, MOST_ROWS);
  return (
    <section className={styles['group']} aria-label={title}>
      <header className={styles['group-head']}>
        <h3>{title}</h3>
        <span className={styles['what']}>
          {on} of {files.length}
        </span>
        <Button
          size="small"
          kind="quiet"
          disabled={possible.length === 0}
          onClick={() =>
            choose(
              possible.map((file) => file.path),
              on < possible.length,
            )
          }
        >
          {on < possible.length ? 'Choose all' : 'Choose none'}
        </Button>
      </header>
      {about !== null && <p className={styles['what']}>{about}</p>}
      <ul>
        {shown.map((file) => (
          <Row
            key={file.path}
            file={file}
            checked={chosen.has(file.path)}
            onChange={() => choose([file.path], !chosen.has(file.path))}
          />
        ))}
      </ul>
      {shown.length < files.length && (
        <Button size="small" kind="quiet" onClick={() => setAll(true)}>
          Show {countFiles(files.length - shown.length)} more
        </Button>
      )}
    </section>
  );
}

/** See the file's header. */
export function FileChoices({ files, chosen, onChoose, by = 'these turns' }: FileChoicesProps): ReactElement {
  const other = files.filter((file) => file.by === 'other');
  return (
    <div className={styles['choices']}>
      <Group
        title={`Changed by ${by}`}
        about={null}
        files={files.filter((file) => file.by === 'turn')}
        chosen={chosen}
        onChoose={onChoose}
      />
      <Group
        title="Changed since, by something else"
        about="You, an editor or another chat changed these. They stay unless you choose them."
        files={other}
        chosen={chosen}
        onChoose={onChoose}
      />
    </div>
  );
}

/** What is chosen at first: what the turns changed and nothing has touched since. */
export function firstChoice(files: readonly CheckpointFile[], withAgain: boolean): ReadonlySet<string> {
  const wanted = files.filter((file) => file.by === 'turn' && file.blocked === null && (withAgain || !file.again));
  return new Set(wanted.map((file) => file.path));
}
