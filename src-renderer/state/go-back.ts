// Going back in a chat asks about its files only where there is something to ask: turns that are left behind and changed
// some, or whose changes nobody can take back.
import type { RestorePlan } from '../../src-main/contract/checkpoints.ts';
import type { EntryId, SessionId } from '../../src-main/contract/ids.ts';
import { wireErrorOf } from '../bridge/bridge-error.ts';
import type { Client } from '../bridge/client.ts';
import type { LayoutStore } from './layout-store.ts';

/** Back to before the entry that begins a turn; `turnSeq` = the turn before it, to whose end the chat goes. */
export interface GoBack {
  readonly sessionId: SessionId;
  readonly entryId: EntryId;
  readonly turnSeq: number | null;
}

/** Goes back in the conversation alone. Rejects with a BridgeError. */
export async function moveChat(client: Client, { sessionId, entryId, turnSeq }: GoBack): Promise<void> {
  if (turnSeq === null) await client.sessions.rewind({ sessionId, to: { type: 'before', entryId } });
  else await client.sessions.jump({ sessionId, turnSeq });
}

/** Goes back, or asks first. Rejects with a BridgeError. */
export async function goBack(client: Client, layout: Pick<LayoutStore, 'showDialog'>, to: GoBack): Promise<void> {
  const { sessionId, entryId } = to;
  let plan: RestorePlan;
  try {
    plan = await client.checkpoints.plan({ sessionId, scope: { type: 'before', entryId } });
  } catch (caught) {
    plan = { problem: wireErrorOf(caught).message, notes: [], shown: '', files: [] };
  }
  const asks = plan.problem !== null || plan.notes.length > 0 || plan.files.some((file) => file.by === 'turn');
  if (asks) layout.showDialog({ type: 'go-back', to, plan });
  else await moveChat(client, to);
}
