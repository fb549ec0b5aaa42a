// Lets the project's files be kept before a call that may write. Whatever goes wrong is told and stops nothing: a
// checkpoint is for taking back, never a condition of going on.
import type { Effect } from '../contract/authority.ts';
import type { EntryData } from '../contract/entries.ts';
import { GIVEN_UP, settleWithin } from './await-signal.ts';
import { mayWrite } from './decision-table.ts';
import type { GateEnvironment } from './gate-types.ts';

/** What is to be told of keeping them; null = nothing, or the turn was stopped meanwhile. Never rejects. */
export async function keepFiles(
  env: GateEnvironment,
  effects: readonly Effect[],
): Promise<EntryData<'checkpoint'> | null> {
  const { checkpointer, turnId, signal, clock } = env;
  if (!checkpointer) return null;
  try {
    const keeping = checkpointer.keep({ turnId, effects }, signal);
    const kept = await settleWithin(keeping, { signal, clock, graceMs: 0 });
    return kept === GIVEN_UP ? null : kept;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return { turnId, checkpointId: null, problem: why, skipped: 0 };
  }
}

/** A call waits for its answer: what it would write to may be kept meanwhile. */
export function expectWrite({ checkpointer, turnId }: GateEnvironment, effects: readonly Effect[]): void {
  if (!checkpointer || !mayWrite(effects)) return;
  try {
    checkpointer.expect(turnId);
  } catch {
    // It is kept when the call begins, or told then why it cannot be.
  }
}
