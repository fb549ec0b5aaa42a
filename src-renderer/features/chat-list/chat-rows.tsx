// The list of projects and chats; virtual when it is long. One row is in the tab order; arrow keys move among them.
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useShallow } from 'zustand/react/shallow';
import { useActs, useAppStore, useLayout } from '../../state/window-context.tsx';
import { Row } from './row.tsx';
import { listRows, ROW_HEIGHT, type ListRow } from './list-rows.ts';
import styles from './chat-rows.module.css';

const VIRTUAL_FROM = 100;

export function ChatRows() {
  const scroller = useRef<HTMLDivElement>(null);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const rows = useRows(collapsed);
  const inChat = useLayout((state) => state.screen === 'chat');
  const current = useAppStore((state) => (inChat ? state.sessionId : null));
  const [active, setActive] = useState<string | null>(null);
  const now = useMinute();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ROW_HEIGHT[rows[index]?.kind ?? 'chat'],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
  });
  useLoadMore(rows, scroller);

  const isVirtual = rows.length > VIRTUAL_FROM;
  const tabStop = rows.some((row) => row.key === active) ? active : (current ?? firstStop(rows));
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || event.target instanceof HTMLInputElement || event.altKey) return;
    const stops = rows.filter(isStop);
    const at = stops.findIndex((row) => row.key === tabStop);
    const next = stops[Math.min(stops.length - 1, Math.max(0, at + step))];
    if (!next) return;
    event.preventDefault();
    setActive(next.key);
    if (isVirtual) virtual.scrollToIndex(rows.indexOf(next));
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(next.key)}"]`)?.focus(),
    );
  };
  const toggle = (id: string): void =>
    setCollapsed((known) =>
      known.has(id) ? new Set([...known].filter((one) => one !== id)) : new Set([...known, id]),
    );
  const draw = (row: ListRow): React.ReactNode => (
    <Row
      row={row}
      current={row.kind === 'chat' && row.chat.id === current}
      tabStop={row.key === tabStop}
      now={now}
      onFocus={() => setActive(row.key)}
      onToggle={toggle}
    />
  );
  return (
    <div ref={scroller} className={styles['scroller']} onKeyDown={move}>
      {isVirtual ? (
        <div className={styles['canvas']} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <div key={item.key} className={styles['placed']} style={{ transform: `translateY(${item.start}px)` }}>
                  {draw(row)}
                </div>
              )
            );
          })}
        </div>
      ) : (
        rows.map((row) => <div key={row.key}>{draw(row)}</div>)
      )}
    </div>
  );
}

function useRows(collapsed: ReadonlySet<string>): ListRow[] {
  const state = useAppStore(
    useShallow(({ app, lists, filter, archived, found, hits }) => ({
      projects: app?.projects,
      lists,
      filter,
      archived,
      found,
      hits,
    })),
  );
  const full = useAppStore((all) => all);
  // The list depends on these parts alone; the rest of the state changes far more often.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => listRows(full, collapsed), [state, collapsed]);
}

/** Reads the next page when its row is about to be seen. */
function useLoadMore(rows: readonly ListRow[], scroller: React.RefObject<HTMLDivElement | null>): void {
  const { loadMore, loadMoreFound, loadMoreHits } = useActs();
  const look = (): void => {
    const element = scroller.current;
    if (!element) return;
    for (const row of rows) {
      if (row.kind !== 'more' || row.loading) continue;
      const drawn = element.querySelector(`[data-row="${CSS.escape(row.key)}"]`);
      if (!drawn || drawn.getBoundingClientRect().top > element.getBoundingClientRect().bottom + 200) continue;
      if (row.project) void loadMore(row.project.id);
      else if (row.key === 'hits-end') void loadMoreHits();
      else void loadMoreFound();
    }
  };
  const latest = useRef(look);
  // After each drawing: a virtual list draws the row that wants more only after the scroll that brought it near.
  useEffect(() => {
    latest.current = look;
    look();
  });
  useEffect(() => {
    const element = scroller.current;
    const scrolled = (): void => latest.current();
    element?.addEventListener('scroll', scrolled, { passive: true });
    return () => element?.removeEventListener('scroll', scrolled);
  }, [scroller]);
}

function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function isStop(row: ListRow): boolean {
  return row.kind !== 'note' && row.kind !== 'more';
}

function firstStop(rows: readonly ListRow[]): string | null {
  return rows.find((row) => row.kind === 'chat')?.key ?? rows.find(isStop)?.key ?? null;
}
