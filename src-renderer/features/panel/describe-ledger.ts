// Rows of the ledger in words, and which of them a filter shows. Pure.
import type { LedgerRow } from '../../../src-main/contract/session.ts';

export type LedgerFilter = 'all' | 'person' | 'itself' | 'denied' | 'failed';

export const LEDGER_FILTERS: readonly { readonly value: LedgerFilter; readonly label: string }[] = [
  { value: 'all', label: 'All calls' },
  { value: 'person', label: 'Answered by you' },
  { value: 'itself', label: 'Ran without asking' },
  { value: 'denied', label: 'Not allowed' },
  { value: 'failed', label: 'Did not work' },
];

/** Who or what decided. */
export function whoDecided({ decision, by, lasting, changedByPerson }: LedgerRow): string {
  if (decision === 'waiting' || by === null) return 'waits for you';
  const allowed = decision === 'run';
  const ends = `${changedByPerson ? ', changed by you' : ''}${lasting === 'session' ? ', for this chat' : ''}`;
  switch (by.who) {
    case 'person':
      return `${allowed ? 'you allowed it' : 'you denied it'}${ends}`;
    case 'mode':
      return `${by.mode} mode ${allowed ? 'lets it run' : 'does not offer it'}`;
    case 'rule':
      return `your rule ${allowed ? 'allowed' : 'denied'} it: ${by.rule}`;
    case 'grant':
      return 'you allowed it for this chat before';
    case 'policy':
      return `${allowed ? 'allowed' : 'denied'}: ${by.policy}`;
    case 'gate':
      return `stopped at the gate: ${{ registered: 'there is no such tool', enabled: 'the tool is off', arguments: 'its arguments were not valid', prepare: 'it could not be prepared', changed: 'it changed meanwhile' }[by.check]}`;
  }
}

const OUTCOMES: Readonly<Record<NonNullable<LedgerRow['status']>, string>> = {
  ok: 'done',
  error: 'failed',
  denied: 'not run',
  unavailable: 'not run',
  invalid: 'not run',
  cancelled: 'stopped',
  interrupted: 'interrupted',
  unknown: 'outcome unknown',
};

/** How it ended, in a word or two. */
export function howEnded({ status, startedAtMs, decision }: LedgerRow): string {
  if (status !== null) return OUTCOMES[status];
  if (startedAtMs !== null) return 'running';
  return decision === 'deny' ? 'not run' : '';
}

function fits(row: LedgerRow, filter: LedgerFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'person':
      return row.by?.who === 'person';
    case 'itself':
      return row.decision === 'run' && row.by?.who !== 'person';
    case 'denied':
      return row.decision === 'deny';
    case 'failed':
      return row.decision === 'run' && row.status !== null && row.status !== 'ok';
  }
}

/** The rows that a filter and words show, newest first. */
export function filterLedger(rows: readonly LedgerRow[], filter: LedgerFilter, words: string): LedgerRow[] {
  const wanted = words.trim().toLowerCase();
  const has = (row: LedgerRow): boolean =>
    wanted === '' ||
    `${row.tool} ${row.summary} ${row.reason} ${row.digest} ${row.effects.map(({ target }) => target).join(' ')}`
      .toLowerCase()
      .includes(wanted);
  return rows.filter((row) => fits(row, filter) && has(row)).toSorted((a, b) => b.seq - a.seq);
}
