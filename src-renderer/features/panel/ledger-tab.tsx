// Every call of this chat, newest first: who or what allowed it, when, on which bytes, and how it ended.
import { useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ScrollText } from 'lucide-react';
import type { LedgerRow } from '../../../src-main/contract/session.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { InlineCode, VisibleText } from '../../ui/verbatim/verbatim.tsx';
import { shortDigest } from './describe-authority.ts';
import { filterLedger, howEnded, LEDGER_FILTERS, whoDecided } from './describe-ledger.ts';
import type { LedgerFilter } from './describe-ledger.ts';
import type { Fetched } from '../../state/use-fetched.ts';
import styles from './panel.module.css';

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const ROW_PX = 54;
const SHOWN_SUMMARY = 160;

function Details({ row }: { row: LedgerRow }): ReactElement {
  return (
    <dl className={styles['facts']}>
      <dt>When</dt>
      <dd>{full.format(row.atMs)}</dd>
      {row.reason !== '' && (
        <>
          <dt>Why</dt>
          <dd>
            <VisibleText text={row.reason} oneLine />
          </dd>
        </>
      )}
      {row.effects.map((effect) => (
        <div key={`${effect.kind} ${effect.target}`} className={styles['pair']}>
          <dt>{effect.kind.replaceAll('-', ' ')}</dt>
          <dd>
            <InlineCode text={effect.target.slice(0, 2000)} />
          </dd>
        </div>
      ))}
      <dt>Bytes</dt>
      <dd>{row.digest === '' ? 'never got that far' : <InlineCode text={row.digest} />}</dd>
      <dt>Confined</dt>
      <dd>{row.confined ? 'yes' : 'no'}</dd>
      {row.durationMs !== null && (
        <>
          <dt>Took</dt>
          <dd>{row.durationMs.toLocaleString('en')} ms</dd>
        </>
      )}
    </dl>
  );
}

function RowView(props: { row: LedgerRow; open: boolean; onToggle: () => void }): ReactElement {
  const { row, open, onToggle } = props;
  const ended = howEnded(row);
  const bad = row.decision === 'deny' || (row.status !== null && row.status !== 'ok');
  return (
    <div className={styles['entry']}>
      <button type="button" className={styles['entry-line']} aria-expanded={open} onClick={onToggle}>
        <span className={styles['entry-what']}>
          <VisibleText text={row.summary.slice(0, SHOWN_SUMMARY)} oneLine />
        </span>
        <time className={styles['small']} dateTime={new Date(row.atMs).toISOString()}>
          {clock.format(row.atMs)}
        </time>
        <span
          className={classes(styles['entry-who'], bad && styles['bad'], row.decision === 'waiting' && styles['wait'])}
        >
          <VisibleText text={whoDecided(row)} oneLine />
          {ended !== '' && ` · ${ended}`}
        </span>
        <span className={styles['entry-digest']}>{shortDigest(row.digest, 2)}</span>
      </button>
      {open && <Details row={row} />}
    </div>
  );
}

function Rows({ rows }: { rows: readonly LedgerRow[] }): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.callId ?? index,
    overscan: 8,
  });
  const toggle = (callId: string): void => {
    const next = new Set(open);
    if (!next.delete(callId)) next.add(callId);
    setOpen(next);
  };
  return (
    <div ref={scroller} className={styles['ledger-rows']} tabIndex={0} role="region" aria-label="Calls, newest first">
      <ol style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return (
            row && (
              <li
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                aria-setsize={rows.length}
                aria-posinset={item.index + 1}
                className={styles['placed']}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <RowView row={row} open={open.has(row.callId)} onToggle={() => toggle(row.callId)} />
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}

/** See the file's header. */
export function LedgerTab({ ledger }: { ledger: Fetched<LedgerRow[]> }): ReactElement {
  const { value, error, retry } = ledger;
  const [filter, setFilter] = useState<LedgerFilter>('all');
  const [words, setWords] = useState('');
  const rows = useMemo(() => filterLedger(value ?? [], filter, words), [value, filter, words]);
  return (
    <div className={classes(styles['tab'], styles['ledger'])}>
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
      {value === null && error === null && <Spinner label="Loading the ledger" withText />}
      {value?.length === 0 && (
        <EmptyState icon={<ScrollText size={20} aria-hidden="true" />} title="No calls yet">
          Each call is kept here: who or what allowed it, when, on which bytes, and how it ended.
        </EmptyState>
      )}
      {value !== null && value.length > 0 && (
        <>
          <div className={styles['filter']}>
            <TextInput
              value={words}
              onChange={setWords}
              placeholder="Filter"
              aria-label="Filter the ledger"
              onEscape={words === '' ? undefined : () => setWords('')}
            />
            <Select label="Show" value={filter} choices={LEDGER_FILTERS} onChange={setFilter} align="end" />
          </div>
          {rows.length === 0 ? <p className={styles['words']}>No call is like this.</p> : <Rows rows={rows} />}
        </>
      )}
    </div>
  );
}
