// The tree of a session for whoever shows it: its branches and turns. Reads the rows that begin and end turns alone.
import type { Outcome } from '../contract/entries.ts';
import type { EntryId, TurnId } from '../contract/ids.ts';
import { listBranches, type TreeSession } from './branches.ts';
import { entryPlace } from './entry-place.ts';
import type { StoreDatabase } from './store-database.ts';
import type { Branch, SessionTree, TreeTurn } from './store.ts';

interface MarkRow {
  seq: number;
  branch: number;
  id: string;
  kind: string;
  at: number;
  turn_id: string | null;
  text: string | null;
  outcome: string | null;
}

const EXCERPT = 200;

const marksSql = `SELECT seq, branch, id, kind, at,
    json_extract(payload, '$.turnId') AS turn_id,
    CASE kind WHEN 'user-message' THEN substr(json_extract(payload, '$.text'), 1, ${EXCERPT}) END AS text,
    CASE kind WHEN 'turn-end' THEN json_extract(payload, '$.outcome.type') END AS outcome
  FROM entry WHERE place >= ? AND place <= ?
    AND kind IN ('user-message', 'turn-continue', 'turn-end') AND json_valid(payload) ORDER BY place`;

const root: Branch = { number: 0, firstSeq: 1, parentBranch: null, parentSeq: 0, fromSeq: 0, how: 'root', name: '' };

/** See Store.readTree. */
export function readTree(database: StoreDatabase, session: TreeSession): SessionTree {
  const stored = listBranches(database, session.number);
  const branches = stored[0]?.number === 0 ? stored : [root, ...stored];
  const lastSeqs = new Map(
    branches.map((branch, index) => [branch.number, (branches[index + 1]?.firstSeq ?? session.headSeq + 1) - 1]),
  );
  const [from, to] = [entryPlace(session.number, 0), entryPlace(session.number, Infinity)];
  const turns: TreeTurn[] = [];
  for (const row of database.all<MarkRow>(marksSql, from, to)) {
    const before = turns.at(-1);
    if (row.kind === 'turn-end') {
      const own = turns.findLast((turn) => turn.turnId === row.turn_id && turn.branch === row.branch);
      if (own) own.outcome = row.outcome as Outcome['type'] | null;
      continue;
    }
    if (before?.branch === row.branch) before.endSeq = row.seq - 1;
    turns.push({
      turnId: (row.turn_id ?? '') as TurnId,
      seq: row.seq,
      entryId: row.id as EntryId,
      endSeq: lastSeqs.get(row.branch) ?? row.seq,
      branch: row.branch,
      atMs: row.at,
      text: row.text ?? '',
      outcome: null,
    });
  }
  return { headSeq: session.headSeq, headBranch: session.headBranch, branches, turns };
}
