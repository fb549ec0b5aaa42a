// The chat as a document: one reading column, virtualised, at its end while the reader is there. It shows what the chat's
// state holds; the approval card and whatever else belongs at the end is handed in as `footer`.
import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { ReactElement, ReactNode, Ref } from 'react';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { Range } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import type { Approval } from '../../../src-main/contract/session.ts';
import type { ChatState } from '../../state/chat-state.ts';
import { createTranscriptItems } from '../../state/transcript-items.ts';
import type { TranscriptItem } from '../../state/transcript-items.ts';
import { placeOf } from '../../state/transcript-place.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { QueuedRows, RetryRow, RunningRow } from './running-rows.tsx';
import { TranscriptRow } from './transcript-row.tsx';
import type { TranscriptActions } from './transcript-actions.ts';
import { useAnnouncement } from './use-announcement.ts';
import { useStickToEnd } from './use-stick-to-end.ts';
import styles from './transcript.module.css';

export interface TranscriptProps {
  readonly chat: ChatState;
  readonly actions: TranscriptActions;
  /** Stands after the last message: the approval card. */
  readonly footer?: ReactNode;
  /** Shown while there is nothing. */
  readonly empty?: ReactNode;
  /** What the person went to; another `n` goes there again. */
  readonly place?: { readonly entryId: string; readonly n: number } | null;
  readonly ref?: Ref<TranscriptHandle>;
}

export interface TranscriptHandle {
  readonly scrollToEnd: () => void;
}

/** The newest items are always in the page, so that reading upwards from the composer meets them first. */
const KEPT_MOUNTED = 12;
/** Pixels from the top at which an earlier page is fetched. */
const EARLIER_AT = 800;

const ESTIMATES: Readonly<Record<TranscriptItem['kind'], number>> = {
  user: 70,
  reasoning: 36,
  answer: 160,
  calls: 30,
  notice: 34,
  'turn-end': 34,
};

function useRows(items: readonly TranscriptItem[], scroller: React.RefObject<HTMLDivElement | null>) {
  const count = items.length;
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = new Set(defaultRangeExtractor(range));
      for (let index = Math.max(0, count - KEPT_MOUNTED); index < count; index += 1) indexes.add(index);
      return [...indexes].sort((a, b) => a - b);
    },
    [count],
  );
  return useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ESTIMATES[items[index]?.kind ?? 'answer'],
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 6,
    rangeExtractor,
    // An earlier page in front keeps what is being read where it is.
    anchorTo: 'end',
    // Being at the end is `useStickToEnd`'s alone: the list would push away what is opened there.
    scrollEndThreshold: Number.NEGATIVE_INFINITY,
    initialOffset: Number.MAX_SAFE_INTEGER,
  });
}

function useOpenKeys(
  chatKey: string,
  onToggle: () => void,
): { open: ReadonlySet<string>; toggle: (key: string) => void } {
  const [state, setState] = useState<{ chatKey: string; open: ReadonlySet<string> }>({ chatKey, open: new Set() });
  if (state.chatKey !== chatKey) setState({ chatKey, open: new Set() });
  const toggle = useCallback(
    (key: string) => {
      onToggle();
      setState((current) => {
        const open = new Set(current.open);
        if (!open.delete(key)) open.add(key);
        return { ...current, open };
      });
    },
    [onToggle],
  );
  return { open: state.open, toggle };
}

function useEarlier(
  chat: ChatState,
  scroller: React.RefObject<HTMLDivElement | null>,
  actions: TranscriptActions,
): boolean {
  const [loading, setLoading] = useState(false);
  const busy = useRef(false);
  const { hasEarlier, entries } = chat;
  const { loadEarlier } = actions;
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !hasEarlier) return undefined;
    const look = (): void => {
      if (busy.current || element.scrollTop > EARLIER_AT) return;
      busy.current = true;
      setLoading(true);
      void loadEarlier().finally(() => {
        busy.current = false;
        setLoading(false);
      });
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [scroller, hasEarlier, entries, loadEarlier]);
  return loading;
}

interface Placing {
  readonly place: { readonly entryId: string; readonly n: number } | null;
  readonly items: readonly TranscriptItem[];
  readonly entries: ChatState['entries'];
  readonly hold: () => void;
  readonly rows: { readonly scrollToIndex: (index: number, options: { align: 'center' }) => void };
}

/** Goes to a place once it is there; gives the index of the item that shows it, -1 = none. */
function usePlace({ place, items, entries, hold, rows }: Placing): number {
  const went = useRef(0);
  const index = useMemo(() => (place === null ? -1 : placeOf(items, entries, place.entryId)), [place, items, entries]);
  const n = place?.n ?? 0;
  useEffect(() => {
    if (index < 0 || went.current === n) return;
    went.current = n;
    hold();
    rows.scrollToIndex(index, { align: 'center' });
  }, [index, n, hold, rows]);
  return index;
}

/** A call that waits for an answer is shown by its card alone. */
function withoutCards(items: readonly TranscriptItem[], approvals: readonly Approval[]): readonly TranscriptItem[] {
  if (approvals.length === 0) return items;
  const waiting = new Set<string>(approvals.map(({ callId }) => callId));
  return items.filter((item) => item.kind !== 'calls' || !item.calls.every(({ callId }) => waiting.has(callId)));
}

/** Another chat's transcript starts from nothing: give it a key of the session id. */
export function Transcript({ chat, actions, footer, empty, place = null, ref }: TranscriptProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [derive] = useState(createTranscriptItems);
  const items = useMemo(
    () => withoutCards(derive(chat.entries), chat.approvals),
    [derive, chat.entries, chat.approvals],
  );
  const rows = useRows(items, scroller);
  const { atEnd, scrollToEnd, hold } = useStickToEnd(scroller, content, chat.sessionId);
  useImperativeHandle(ref, () => ({ scrollToEnd }), [scrollToEnd]);
  const { open, toggle } = useOpenKeys(chat.sessionId, hold);
  const loading = useEarlier(chat, scroller, actions);
  const shown = usePlace({ place, items, entries: chat.entries, hold, rows });
  const announcement = useAnnouncement(items);
  const runs = chat.summary.status === 'running' || chat.running !== null;
  const callRuns = items.at(-1)?.kind === 'calls';
  const nothing = items.length === 0 && !runs && chat.queue.length === 0;

  return (
    <div className={styles['frame']}>
      <div ref={scroller} className={styles['scroller']} tabIndex={-1}>
        <section ref={content} className={styles['column']} aria-label="Conversation" aria-busy={runs}>
          {loading && (
            <div className={styles['earlier']}>
              <Spinner label="Loading earlier messages" withText />
            </div>
          )}
          {nothing && empty}
          <div className={styles['items']} style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((row) => {
              const item = items[row.index];
              return (
                item && (
                  <div
                    key={row.key}
                    ref={rows.measureElement}
                    data-index={row.index}
                    className={classes(styles['item'], row.index === shown && styles['found'])}
                    style={{ transform: `translateY(${row.start}px)` }}
                  >
                    <TranscriptRow
                      item={item}
                      tight={item.kind === 'calls' && items[row.index + 1]?.kind === 'calls'}
                      last={row.index === items.length - 1 && !runs}
                      open={open}
                      outputs={chat.outputs}
                      idle={!runs && chat.summary.status !== 'waiting'}
                      onToggle={toggle}
                      actions={actions}
                    />
                  </div>
                )
              );
            })}
          </div>
          <RunningRow
            running={chat.running}
            busy={runs && !callRuns && chat.approvals.length === 0 && chat.retry === null}
          />
          {chat.retry !== null && <RetryRow retry={chat.retry} />}
          <div className={styles['footer']}>{footer}</div>
          <QueuedRows queue={chat.queue} open={runs || chat.approvals.length > 0} onRemove={actions.removeQueued} />
        </section>
      </div>
      {!atEnd && (
        <Button
          size="small"
          className={styles['below']}
          icon={<ArrowDown size={14} aria-hidden="true" />}
          onClick={scrollToEnd}
        >
          {runs ? 'New below' : 'To the end'}
        </Button>
      )}
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </div>
  );
}
