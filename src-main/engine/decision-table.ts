// The decision table: what a mode and the confinement make of one effect, before rules and grants. Pure.
import type { Effect, EffectKind, Mode } from '../contract/authority.ts';

/** runs = no question; asks = rules and grants may answer; asks-once = only a one-shot answer (CONF-02). */
export type Cell = 'runs' | 'asks' | 'asks-once' | 'not-offered';

const STRICTNESS: Record<Cell, number> = { runs: 0, asks: 1, 'asks-once': 2, 'not-offered': 3 };

type Row = Record<Mode | 'auto-unconfined', Cell>;

const always = (cell: Cell): Row => ({ plan: cell, ask: cell, auto: cell, 'auto-unconfined': cell });
const effectful = (ask: Cell, auto: Cell, unconfined: Cell): Row => ({
  plan: 'not-offered',
  ask,
  auto,
  'auto-unconfined': unconfined,
});

const TABLE: Record<EffectKind, Row> = {
  clock: always('runs'),
  'read-inside': always('runs'),
  'read-secret': always('asks-once'),
  'read-outside': always('asks-once'),
  'write-inside': effectful('asks', 'runs', 'runs'),
  'write-protected': effectful('asks-once', 'asks-once', 'asks-once'),
  'write-outside': effectful('asks-once', 'asks-once', 'asks-once'),
  command: effectful('asks', 'runs', 'runs'),
  'command-unconfinable': effectful('asks-once', 'asks-once', 'runs'),
  'command-network': effectful('asks-once', 'asks-once', 'runs'),
  'command-unconfined': effectful('asks-once', 'asks-once', 'runs'),
  network: always('asks-once'),
};

/** The cell of one effect. `confinement` matters in auto mode alone. */
export function cellOf(kind: EffectKind, mode: Mode, confinement: boolean): Cell {
  return TABLE[kind][mode === 'auto' && !confinement ? 'auto-unconfined' : mode];
}

/** The strictest cell of a call's effects, and the effect that decides; a call without effects is not offered. */
export function strictest(
  effects: readonly Effect[],
  mode: Mode,
  confinement: boolean,
): { cell: Cell; effect: Effect | null } {
  let worst: { cell: Cell; effect: Effect | null } = { cell: 'runs', effect: null };
  if (effects.length === 0) return { cell: 'not-offered', effect: null };
  for (const effect of effects) {
    const cell = cellOf(effect.kind, mode, confinement);
    if (worst.effect === null || STRICTNESS[cell] > STRICTNESS[worst.cell]) worst = { cell, effect };
  }
  return worst;
}

const READS: ReadonlySet<EffectKind> = new Set(['clock', 'read-inside', 'read-secret', 'read-outside']);

/** Whether a call only looks: its start may be stored together with its result. */
export function isPureRead(effects: readonly Effect[]): boolean {
  return effects.every((effect) => READS.has(effect.kind));
}

/** Whether a call may change files: what was there before is kept first. */
export function mayWrite(effects: readonly Effect[]): boolean {
  return effects.some(({ kind }) => kind !== 'network' && !READS.has(kind));
}
