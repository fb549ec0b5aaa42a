// Where messages are written: several lines, Enter sends, files by `@`, commands by `/`, drafts kept, large pastes as
// attachments. What a message does is main's. Invariant: no key here ever answers an approval.
import { useCallback, useId, useImperativeHandle, useRef, useState } from 'react';
import type { ClipboardEvent, KeyboardEvent, ReactElement, Ref } from 'react';
import type { Mode } from '../../../src-main/contract/authority.ts';
import type { WireError } from '../../../src-main/contract/errors.ts';
import type { ModelInfo } from '../../../src-main/contract/models.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import type { Client } from '../../bridge/client.ts';
import type { ChatState } from '../../state/chat-state.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { isComposing } from '../../ui/is-composing.ts';
import { ATTACH_ABOVE } from './attach-text.ts';
import { AttachmentList } from './attachment-list.tsx';
import { CompletionList } from './completion-list.tsx';
import { ComposerBar } from './composer-bar.tsx';
import { focusBefore } from './focus-before.ts';
import { applyCompletion, completionAt, parseCommand } from './parse-input.ts';
import { runCommand } from './run-command.ts';
import type { CommandActions } from './run-command.ts';
import { useAttach } from './use-attach.ts';
import { useCompletions } from './use-completions.ts';
import { LONGEST_TEXT, useDraft } from './use-draft.ts';
import styles from './composer.module.css';

export interface ComposerHandle {
  readonly focus: () => void;
}

export interface ComposerProps {
  readonly chat: ChatState;
  readonly client: Client;
  readonly models: readonly ModelInfo[];
  /** Shift+Tab cycles modes. */
  readonly shiftTabCyclesModes: boolean;
  /** The project's folder as shown, for the placeholder. */
  readonly shownPath: string;
  /** false = the folder is not there now. */
  readonly projectPresent: boolean;
  readonly actions: CommandActions;
  readonly ref?: Ref<ComposerHandle>;
}

const NEXT_MODE: Readonly<Record<Mode, Mode>> = { plan: 'ask', ask: 'auto', auto: 'plan' };

/** Why nothing can be written here now; null = it can. */
function whyDisabled({ chat, projectPresent, shownPath }: ComposerProps): string | null {
  if (chat.heldBy !== null)
    return `This chat is open elsewhere (${chat.heldBy}). You can read it here; close it there to go on.`;
  if (!projectPresent)
    return `The folder ${shownPath} is not there any more. The chat is kept; put the folder back, or open another one.`;
  return null;
}

/** Another chat's composer starts from that chat's draft: give it a key of the session id. */
export function Composer(props: ComposerProps): ReactElement {
  const { chat, client, models, actions, shownPath } = props;
  const { sessionId, summary } = chat;
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const noteId = useId();
  const draftHandle = useDraft(client, sessionId, chat.draft);
  const { draft, change, unsaved } = draftHandle;
  const { uploads, attach } = useAttach(client, sessionId, draftHandle);
  const [caret, setCaret] = useState(draft.text.length);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const [chosen, setChosen] = useState(0);
  const [error, setError] = useState<WireError | null>(null);
  const completion = completionAt(draft.text, caret);
  const choices = useCompletions(dismissed === draft.text ? null : completion, {
    client,
    projectId: summary.projectId,
    models,
  });
  const open = choices.length > 0 && completion !== null;
  const disabledBecause = whyDisabled(props);
  const running = summary.status === 'running' || summary.status === 'waiting' || chat.running !== null;

  useImperativeHandle(props.ref, () => ({ focus: () => field.current?.focus() }), []);

  /** Does something in main; what goes wrong is told above the text. */
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

  const setText = (text: string, at: number): void => {
    change((current) => ({ ...current, text }));
    setCaret(at);
    setChosen(0);
  };
  const send = (): void => {
    const { text, attachments } = draft;
    if (disabledBecause !== null || uploads.length > 0 || (text.trim() === '' && attachments.length === 0)) return;
    if (text.length > LONGEST_TEXT) {
      const message = `This message has ${text.length.toLocaleString('en')} characters; ${LONGEST_TEXT.toLocaleString('en')} fit. Cut the long part out and paste it again: it becomes an attachment.`;
      setError({ code: 'ipc.invalid-input', message, retryable: false });
      return;
    }
    const command = attachments.length === 0 ? parseCommand(text) : null;
    change(() => ({ text: '', attachments: [] }));
    setCaret(0);
    const attachmentIds = attachments.map(({ id }) => id);
    void attempt(() =>
      command === null
        ? client.sessions.submit({ sessionId, text, attachmentIds })
        : runCommand(command, { client, sessionId, models, actions }),
    ).then((sent) => {
      // Not sent: it comes back, before whatever was written meanwhile.
      if (sent) return;
      change((now) => ({
        text: now.text === '' ? text : `${text}\n${now.text}`,
        attachments: [...attachments, ...now.attachments],
      }));
    });
  };
  const take = (index: number): void => {
    const choice = choices[index];
    if (choice === undefined || completion === null) return;
    const next = applyCompletion(draft.text, caret, { from: completion.from, insert: choice.insert });
    setText(next.text, next.caret);
    requestAnimationFrame(() => field.current?.setSelectionRange(next.caret, next.caret));
  };
  const stop = useCallback(() => void attempt(() => client.sessions.stop({ sessionId })), [attempt, client, sessionId]);
  const setMode = useCallback(
    (mode: Mode) => void attempt(() => client.sessions.setMode({ sessionId, mode })),
    [attempt, client, sessionId],
  );
  const setModel = useCallback(
    (model: string) => void attempt(() => client.sessions.setModel({ sessionId, model })),
    [attempt, client, sessionId],
  );
  const pressInList = (key: string): boolean => {
    if (key === 'ArrowDown') setChosen((chosen + 1) % choices.length);
    else if (key === 'ArrowUp') setChosen((chosen + choices.length - 1) % choices.length);
    else if (key === 'Tab' || key === 'Enter') take(chosen);
    else if (key === 'Escape') setDismissed(draft.text);
    else return false;
    return true;
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isComposing(event)) return;
    const plain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    // A command that is written whole is sent by Enter, not completed once more.
    const whole =
      event.key === 'Enter' && completion?.kind === 'command' && choices[chosen]?.insert === completion.query;
    if (open && plain && !whole && pressInList(event.key)) event.preventDefault();
    else if (event.key === 'Enter' && plain) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape' && plain && running) {
      event.preventDefault();
      stop();
    } else if (event.key === 'Tab' && event.shiftKey && props.shiftTabCyclesModes && disabledBecause === null) {
      event.preventDefault();
      setMode(NEXT_MODE[summary.mode]);
    } else if (event.key === 'F6' && event.shiftKey) {
      event.preventDefault();
      focusBefore(event.currentTarget);
    } else return;
    event.stopPropagation();
  };
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain');
    if (text.length <= ATTACH_ABOVE) return;
    event.preventDefault();
    void attempt(() => attach(text));
  };

  return (
    <div className={styles['composer']}>
      <div className={styles['box']} data-disabled={disabledBecause !== null}>
        {open && (
          <CompletionList
            id={listId}
            label={completion.kind === 'file' ? 'Files' : 'Commands'}
            choices={choices}
            chosen={Math.min(chosen, choices.length - 1)}
            onTake={take}
          />
        )}
        {error !== null && <ErrorNote>{error.message}</ErrorNote>}
        <AttachmentList
          attachments={draft.attachments}
          uploads={uploads}
          onRemove={(id) => change((now) => ({ ...now, attachments: now.attachments.filter((one) => one.id !== id) }))}
        />
        <textarea
          ref={field}
          className={styles['field']}
          value={draft.text}
          rows={1}
          autoFocus
          disabled={disabledBecause !== null}
          aria-label="Message"
          role="combobox"
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          aria-activedescendant={open ? `${listId}-${Math.min(chosen, choices.length - 1)}` : undefined}
          aria-autocomplete="list"
          aria-describedby={disabledBecause === null && !unsaved ? undefined : noteId}
          placeholder={
            running
              ? 'Say what to do next. It waits until the answer is done.'
              : `Say what to do in ${shownPath}. @ names a file, / a command.`
          }
          onChange={(event) => setText(event.target.value, event.target.selectionStart)}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={press}
          onPaste={paste}
        />
        {(disabledBecause !== null || unsaved) && (
          <p id={noteId} className={styles['note']} role="status">
            {disabledBecause ?? 'What you wrote could not be saved yet. It stays here as long as this window is open.'}
          </p>
        )}
        <ComposerBar
          mode={summary.mode}
          model={summary.model}
          models={models}
          toolsOn={chat.authority.tools.filter((tool) => tool.enabled).length}
          meter={chat.meter}
          running={running}
          disabled={disabledBecause !== null}
          canSend={
            disabledBecause === null &&
            uploads.length === 0 &&
            (draft.text.trim() !== '' || draft.attachments.length > 0)
          }
          onMode={setMode}
          onModel={setModel}
          onOpenAuthority={actions.openAuthority}
          onStop={stop}
          onSend={send}
        />
      </div>
    </div>
  );
}
