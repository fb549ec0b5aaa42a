// What stands beside a chat, as files that are called by its name: what each turn used, what each round took and gave, which
// models it had, its tree. All of it is read from the entries. Pure.
import type { Entry, Usage } from '../contract/entries.ts';
import type { TurnId } from '../contract/ids.ts';
import { reportTurn } from '../engine/turn-report.ts';
import { toRecordLines, TurnRecords } from '../engine/turn-records.ts';
import type { SessionTree } from '../store/store.ts';
import { systemClock } from './system-clock.ts';

export interface Companion {
  /** What follows the chat's name in the file's. */
  readonly ending: string;
  readonly text: string;
}

/** Records are kept in pieces of this many entries, as a session keeps only its newest. */
const PIECE = 1_000;

const lines = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

interface TurnUsage {
  readonly turnId: TurnId;
  readonly atMs: number;
  /** null = the service told nothing. */
  readonly usage: Usage | null;
}

function usageLog(entries: readonly Entry[]): TurnUsage[] {
  return entries.flatMap((entry) =>
    entry.kind === 'turn-end' && entry.data.outcome.type !== 'awaiting-approval'
      ? [
          {
            turnId: entry.data.turnId,
            atMs: entry.atMs,
            usage: entry.data.usage ?? reportTurn(entries, entry.data.turnId)?.usage ?? null,
          },
        ]
      : [],
  );
}

function turnRecords(entries: readonly Entry[]): string {
  let text = '';
  for (let from = 0; from < entries.length; from += PIECE) {
    const records = new TurnRecords(systemClock);
    records.take({ type: 'entries-append', entries: entries.slice(from, from + PIECE) });
    text += toRecordLines(records.list());
  }
  return text;
}

interface ModelChange {
  readonly atMs: number;
  readonly model: string;
  readonly previous: string | null;
  readonly by: string;
}

function modelLog(entries: readonly Entry[]): ModelChange[] {
  return entries.flatMap(({ kind, atMs, data }): ModelChange[] => {
    if (kind === 'session-start') return [{ atMs, model: data.model, previous: null, by: 'start' }];
    return kind === 'model' ? [{ atMs, model: data.model, previous: data.previous, by: data.by }] : [];
  });
}

/** The companions of a chat's path and tree. */
export function companionsOf(entries: readonly Entry[], tree: SessionTree): Companion[] {
  return [
    { ending: '.usage.jsonl', text: lines(usageLog(entries)) },
    { ending: '.events.jsonl', text: turnRecords(entries) },
    { ending: '.models.jsonl', text: lines(modelLog(entries)) },
    { ending: '.tree.json', text: `${JSON.stringify(tree, null, 2)}\n` },
  ];
}
