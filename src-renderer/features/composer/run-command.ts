// Does what a command of the composer says, by the same procedures that buttons use.
import type { EntryOf } from '../../../src-main/contract/entries.ts';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import { modeSchema } from '../../../src-main/contract/authority.ts';
import type { ModelInfo } from '../../../src-main/contract/models.ts';
import { BridgeError } from '../../bridge/bridge-error.ts';
import type { Client } from '../../bridge/client.ts';
import type { Command } from './parse-input.ts';

/** What commands and the seal ask of the window around the composer. */
export interface CommandActions {
  readonly newChat: () => void;
  readonly openAuthority: () => void;
  readonly openHelp: () => void;
  /** The settings of models. */
  readonly openSettings: () => void;
  /** Lets the title be edited where it stands. */
  readonly startRename: () => void;
  /** Looks again whether the chat can be written to. */
  readonly lookAgain: () => void;
  /** A file's conversation took the place of this one. */
  readonly loaded: (report: EntryOf<'import'>['data']) => void;
  /** Older messages were set aside for the model, or there were none to be. */
  readonly reduced: (what: { skipped: boolean; messages: number }) => void;
  /** A message was sent: the view goes to the end, where its answer comes. */
  readonly sent: () => void;
}

export interface CommandContext {
  readonly client: Client;
  readonly sessionId: SessionId;
  readonly models: readonly ModelInfo[];
  readonly actions: CommandActions;
}

function refuse(message: string): BridgeError {
  return new BridgeError({ code: 'ipc.invalid-input', message, retryable: false });
}

function findModel(models: readonly ModelInfo[], wanted: string): ModelInfo {
  const query = wanted.toLowerCase();
  const exact = models.find(({ ref, name }) => ref === wanted || name.toLowerCase() === query);
  if (exact !== undefined) return exact;
  const like = models.filter(({ name }) => name.toLowerCase().includes(query));
  const [only] = like;
  if (like.length === 1 && only !== undefined) return only;
  throw refuse(
    like.length === 0
      ? `There is no model like “${wanted}”. Choose one from the list beside the mode, or add it in Settings.`
      : `Several models are like “${wanted}”: ${like.map(({ name }) => name).join(', ')}. Write the whole name.`,
  );
}

/** Runs a command. Throws a BridgeError that says what to write instead; nothing was changed then. */
export async function runCommand(
  { name, argument }: Command,
  { client, sessionId, models, actions }: CommandContext,
): Promise<void> {
  switch (name) {
    case 'new':
      actions.newChat();
      return;
    case 'tools':
      actions.openAuthority();
      return;
    case 'help':
      actions.openHelp();
      return;
    case 'load':
      if (argument === '') throw refuse('Write /load and the path of a JSONL file: one message a line.');
      actions.loaded(await client.sessions.loadMessages({ sessionId, path: argument }));
      return;
    case 'compact':
      actions.reduced(await client.context.compact({ sessionId, focus: argument.slice(0, 2000) }));
      return;
    case 'new-context':
      if (argument === '') throw refuse('Write /new-context and what the chat is about from here on.');
      actions.reduced(await client.context.startAfresh({ sessionId, objective: argument }));
      return;
    case 'clear':
      return client.sessions.clearContext({ sessionId });
    case 'rename':
      if (argument !== '') return client.sessions.rename({ sessionId, title: argument.slice(0, 300) });
      actions.startRename();
      return;
    case 'mode': {
      const mode = modeSchema.safeParse(argument);
      if (!mode.success) throw refuse('Write /mode plan, /mode ask or /mode auto.');
      return client.sessions.setMode({ sessionId, mode: mode.data });
    }
    case 'plan':
      return client.sessions.setMode({ sessionId, mode: 'plan' });
    case 'confine':
      if (argument !== 'on' && argument !== 'off') throw refuse('Write /confine on or /confine off.');
      return client.sessions.setConfinement({ sessionId, on: argument === 'on' });
    case 'model':
      if (argument === '') throw refuse('Write /model and the name of a model.');
      return client.sessions.setModel({ sessionId, model: findModel(models, argument).ref });
  }
}
