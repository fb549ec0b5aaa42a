// Where messages are written: several lines, Enter sends, files by `@`, commands by `/`, drafts kept, large pastes as
// attachments. What a message does is main's. Invariant: no key here ever answers an approval.
import { useCallback, useId, useImperativeHandle, useRef } from 'react';
import type { ClipboardEvent, KeyboardEvent, ReactElement, Ref } from 'react';
import type { Mode } from '../../../src-main/contract/authority.ts';
import type { ModelInfo } from '../../../src-main/contract/models.ts';
import type { Client } from '../../bridge/client.ts';
import type { ChatState } from '../../state/chat-state.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { isComposing } from '../../ui/is-composing.ts';
import { AttachmentList } from './attachment-list.tsx';
import { CompletionList } from './completion-list.tsx';
import { ComposerBar } from './composer-bar.tsx';
import { focusBefore } from './focus-before.ts';
import { toKeyAction } from './key-action.ts';
import type { KeyAction } from './key-action.ts';
import type { CommandActions } from './run-command.ts';
import { useAttach } from './use-attach.ts';
import { useCompleting } from './use-completing.ts';
import type { Completing } from './use-completing.ts';
import { useDraft } from './use-draft.ts';
import { sendDraft, useAttempt } from './use-send.ts';
import styles from './composer.module.css';

export interface ComposerHandle {
  readonly focus: () => void;
  /** Puts a text in place of what is written, to be sent by the person. */
  readonly write: (text: string) => void;
  /** Attaches files; where nothing can be written now, nothing happens. */
  readonly attachFiles: (files: readonly File[]) => void;
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
  /** Bytes that one message may have, with its attachments. */
  readonly mostBytes: number;
  readonly actions: CommandActions;
  readonly ref?: Ref<ComposerHandle>;
}

const NEXT_MODE: Readonly<Record<Mode, Mode>> = { plan: 'ask', ask: 'auto', auto: 'plan' };

const LATER = 'Say what to do next. It waits until the answer is done.';
const UNSAVED = 'What you wrote could not be saved yet. It stays here as long as this window is open.';

/** Why nothing can be written here now; null = it can. */
function whyDisabled({ chat, projectPresent, shownPath }: ComposerProps): string | null {
  if (chat.heldBy !== null) {
    return `This chat is open elsewhere (${chat.heldBy}). You can read it here; close it there to go on.`;
  }
  if (chat.folderProblem !== null) return chat.folderProblem;
  if (projectPresent) return null;
  return `The folder ${shownPath} is not there any more. The chat is kept; put the folder back, or open another one.`;
}

/** What the bar and the keys ask of main. */
function useChatActs(
  client: Client,
  { sessionId }: ChatState,
  attempt: (work: () => Promise<unknown>) => Promise<boolean>,
) {
  const stop = useCallback(() => void attempt(() => client.sessions.stop({ sessionId })), [attempt, client, sessionId]);
  const setMode = useCallback(
    (mode: Mode) => void attempt(() => client.sessions.setMode({ sessionId, mode })),
    [attempt, client, sessionId],
  );
  const setModel = useCallback(
    (model: string) => void attempt(() => client.sessions.setModel({ sessionId, model })),
    [attempt, client, sessionId],
  );
  return { stop, setMode, setModel };
}

interface FieldProps {
  readonly field: Ref<HTMLTextAreaElement>;
  readonly text: string;
  readonly completing: Completing;
  readonly listId: string;
  readonly noteId: string | undefined;
  readonly disabled: boolean;
  readonly placeholder: string;
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
}

function MessageField(props: FieldProps): ReactElement {
  const { completing, listId } = props;
  const { open, chosen } = completing;
  return (
    <textarea
      ref={props.field}
      className={styles['field']}
      value={props.text}
      rows={1}
      autoFocus
      disabled={props.disabled}
      aria-label="Message"
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-controls={open ? listId : undefined}
      aria-activedescendant={open ? `${listId}-${chosen}` : undefined}
      aria-describedby={props.noteId}
      placeholder={props.placeholder}
      onChange={(event) => completing.setText(event.target.value, event.target.selectionStart)}
      onSelect={(event) => completing.setCaret(event.currentTarget.selectionStart)}
      onKeyDown={props.onKeyDown}
      onPaste={props.onPaste}
    />
  );
}

interface NoteLineProps {
  readonly id: string;
  readonly note: string;
  /** null = looking again would change nothing. */
  readonly onLookAgain: (() => void) | null;
}

function NoteLine({ id, note, onLookAgain }: NoteLineProps): ReactElement {
  return (
    <div className={styles['note-line']}>
      <p id={id} className={styles['note']} role="status">
        {note}
      </p>
      {onLookAgain && (
        <Button size="small" onClick={onLookAgain}>
          Look again
        </Button>
      )}
    </div>
  );
}

/** Another chat's composer starts from that chat's draft: give it a key of the session id. */
export function Composer(props: ComposerProps): ReactElement {
  const { chat, client, models, actions, shownPath } = props;
  const { sessionId, summary } = chat;
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const noteId = useId();
  const attempts = useAttempt();
  const { attempt } = attempts;
  const draftHandle = useDraft(client, sessionId, chat.draft);
  const { draft, change } = draftHandle;
  const { mostBytes } = props;
  const { uploads, attachFiles, paste } = useAttach({ client, sessionId, draftHandle, attempts, mostBytes });
  const completing = useCompleting(field, draftHandle, { client, projectId: summary.projectId, models });
  const { stop, setMode, setModel } = useChatActs(client, chat, attempt);
  const disabledBecause = whyDisabled(props);
  const disabled = disabledBecause !== null;
  const running = summary.status === 'running' || summary.status === 'waiting' || chat.running !== null;
  const ready = !disabled && uploads.length === 0;
  const note = disabledBecause ?? (draftHandle.unsaved ? UNSAVED : null);

  useImperativeHandle(
    props.ref,
    () => ({
      focus: () => field.current?.focus(),
      write: (text) => {
        change((now) => ({ ...now, text }));
        field.current?.focus();
      },
      attachFiles: (files) => {
        if (!disabled) void attachFiles(files);
        field.current?.focus();
      },
    }),
    [disabled, attachFiles, change],
  );

  const send = (): void => {
    if (ready) sendDraft({ client, sessionId, models, actions, draftHandle, attempts });
  };
  const acts: Readonly<Record<KeyAction, () => void>> = {
    next: () => completing.move(1),
    previous: () => completing.move(-1),
    take: () => completing.take(completing.chosen),
    dismiss: completing.dismiss,
    send,
    stop,
    'cycle-mode': () => setMode(NEXT_MODE[summary.mode]),
    'leave-backwards': () => field.current && focusBefore(field.current),
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isComposing(event)) return;
    const { key, shiftKey: shift, ctrlKey, altKey, metaKey } = event;
    const { open, choosing } = completing;
    const cyclesModes = props.shiftTabCyclesModes;
    const action = toKeyAction({
      key,
      shift,
      other: ctrlKey || altKey || metaKey,
      open,
      choosing,
      running,
      cyclesModes,
    });
    if (action === null) return;
    event.preventDefault();
    event.stopPropagation();
    acts[action]();
  };

  return (
    <div className={styles['composer']}>
      <div className={styles['box']} data-disabled={disabled}>
        {completing.open && <CompletionList id={listId} {...completing} onTake={completing.take} />}
        {attempts.error !== null && <ErrorNote>{attempts.error.message}</ErrorNote>}
        <AttachmentList
          attachments={draft.attachments}
          uploads={uploads}
          onRemove={(id) => change((now) => ({ ...now, attachments: now.attachments.filter((one) => one.id !== id) }))}
        />
        <MessageField
          field={field}
          text={draft.text}
          completing={completing}
          listId={listId}
          noteId={note === null ? undefined : noteId}
          disabled={disabled}
          placeholder={
            disabled
              ? 'You can read this chat.'
              : running
                ? LATER
                : `Say what to do in ${shownPath}. @ names a file, / a command.`
          }
          onKeyDown={press}
          onPaste={paste}
        />
        {note !== null && <NoteLine id={noteId} note={note} onLookAgain={disabled ? actions.lookAgain : null} />}
        <ComposerBar
          mode={summary.mode}
          model={summary.model}
          models={models}
          toolsOn={chat.authority.tools.filter((tool) => tool.enabled).length}
          meter={chat.meter}
          running={running && !disabled}
          disabled={disabled}
          canSend={ready && (draft.text.trim() !== '' || draft.attachments.length > 0)}
          onMode={setMode}
          onModel={setModel}
          onAttach={(files) => {
            void attachFiles(files);
            field.current?.focus();
          }}
          onSetUpModel={actions.openSettings}
          onOpenAuthority={actions.openAuthority}
          onStop={stop}
          onSend={send}
        />
      </div>
    </div>
  );
}
