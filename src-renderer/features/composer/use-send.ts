// Sends what is written, or does the command it is. Invariant: what could not be sent comes back, before whatever was
// written meanwhile.
import { useCallback, useState } from 'react';
import type { WireError } from '../../../src-main/contract/errors.ts';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import type { ModelInfo } from '../../../src-main/contract/models.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import type { Client } from '../../bridge/client.ts';
import { parseCommand } from './parse-input.ts';
import { runCommand } from './run-command.ts';
import type { CommandActions } from './run-command.ts';
import { LONGEST_TEXT } from './use-draft.ts';
import type { DraftHandle } from './use-draft.ts';

export interface Attempt {
  readonly error: WireError | null;
  /** Does something in main; what goes wrong is kept as `error`. Gives whether it went well; never rejects. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly refuse: (message: string) => void;
}

/** Keeps the newest error of what the composer asked main for. */
export function useAttempt(): Attempt {
  const [error, setError] = useState<WireError | null>(null);
  const attempt = useCallback(async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      setError(null);
      await work();
      return true;
    } catch (caught) {
      setError(wireErrorOf(caught));
      return false;
    }
  }, []);
  const refuse = useCallback(
    (message: string) => setError({ code: 'ipc.invalid-input', message, retryable: false }),
    [],
  );
  return { error, attempt, refuse };
}

export interface SendContext {
  readonly client: Client;
  readonly sessionId: SessionId;
  readonly models: readonly ModelInfo[];
  readonly actions: CommandActions;
  readonly draftHandle: DraftHandle;
  readonly attempts: Attempt;
}

function tooLong(text: string): string {
  const has = text.length.toLocaleString('en');
  return `This message has ${has} characters; ${LONGEST_TEXT.toLocaleString('en')} fit. Cut the long part out and paste it again: it becomes an attachment.`;
}

/** Sends the draft as it is now. */
export function sendDraft({ client, sessionId, models, actions, draftHandle, attempts }: SendContext): void {
  const { text, attachments } = draftHandle.draft;
  if (text.trim() === '' && attachments.length === 0) return;
  if (text.length > LONGEST_TEXT) {
    attempts.refuse(tooLong(text));
    return;
  }
  const command = attachments.length === 0 ? parseCommand(text) : null;
  const attachmentIds = attachments.map(({ id }) => id);
  draftHandle.change(() => ({ text: '', attachments: [] }));
  if (command === null) actions.sent();
  void attempts
    .attempt(() =>
      command === null
        ? client.sessions.submit({ sessionId, text, attachmentIds })
        : runCommand(command, { client, sessionId, models, actions }),
    )
    .then((sent) => {
      if (sent) return;
      draftHandle.change((now) => ({
        text: now.text === '' ? text : `${text}\n${now.text}`,
        attachments: [...attachments, ...now.attachments],
      }));
    });
}
