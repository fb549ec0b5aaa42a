// Where an entry lies in the table of entries: its session's number and its seq in one integer (see the migration
// entry-place), so that the entries of a session are one range.

const SEQS = 2 ** 32;

/** The place of entry `seq` (0 and up; more than 2^32 - 1 counts as that) of the session with this number. */
export function entryPlace(session: number, seq: number): number {
  return session * SEQS + Math.min(seq, SEQS - 1);
}
