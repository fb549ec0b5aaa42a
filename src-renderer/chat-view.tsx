// One open chat: its bar, transcript, what waits for an answer, and the composer, joined to the window's state.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { EntryId, SessionId } from '../src-main/contract/ids.ts';
import { LIMITS } from '../src-main/contract/limits.ts';
import { ApprovalQueue } from './features/approvals/approval-queue.tsx';
import { QuestionQueue } from './features/approvals/question-queue.tsx';
import { Composer, type ComposerHandle } from './features/composer/composer.tsx';
import { ChatBar } from './features/frame/chat-bar.tsx';
import { ChatNotices } from './features/frame/chat-notices.tsx';
import { ChatOpening } from './features/frame/chat-opening.tsx';
import { useReportReady } from './features/frame/use-report-ready.ts';
import { InstructionsNote } from './features/instructions/instructions-note.tsx';
import { ShellStrip } from './features/shells/shell-strip.tsx';
import { Transcript, type TranscriptHandle } from './features/transcript/transcript.tsx';
import type { ChatState } from './state/chat-state.ts';
import { describeImport } from './state/describe-import.ts';
import { goBack } from './state/go-back.ts';
import { useApp, useAppStore, useChat, useWindow, ChatProvider } from './state/window-context.tsx';
import { useStore } from 'zustand';
import { Button } from './ui/button.tsx';
import { EmptyState } from './ui/empty-state.tsx';
import styles from './chat-view.module.css';

export interface ChatViewProps {
  readonly sessionId: SessionId;
}

export function ChatView({ sessionId }: ChatViewProps) {
  const { chats } = useWindow();
  const phase = useStore(chats.store, (state) => state.chats[sessionId]?.phase ?? 'opening');
  if (phase !== 'open') return <ChatOpening sessionId={sessionId} />;
  return (
    <ChatProvider sessionId={sessionId}>
      <OpenChat sessionId={sessionId} />
    </ChatProvider>
  );
}

const GUIDE_EXAMPLES = ['summarise this project', 'find TODO', 'read README.md', 'run git status'];

const whole = (chat: ChatState): ChatState => chat;

function OpenChat({ sessionId }: ChatViewProps) {
  const window_ = useWindow();
  const { client } = window_;
  const chat = useChat(whole);
  const composer = useRef<ComposerHandle>(null);
  const reading = useRef<TranscriptHandle>(null);
  const [renaming, setRenaming] = useState(false);
  const models = useApp((app) => app.models);
  const mostBytes = useApp((app) => app.settings.limits.messageBytes ?? LIMITS.messageBytes.default);
  const shiftTabCyclesModes = useApp((app) => app.settings.shiftTabCyclesModes);
  const project = useAppStore((state) => state.app?.projects.find((known) => known.id === chat.summary.projectId));
  const { transcript, commands, focusComposer } = useMemo(
    () =>
      chatActions(window_, sessionId, {
        focus: () => composer.current?.focus(),
        rename: () => setRenaming(true),
        sent: () => reading.current?.scrollToEnd(),
      }),
    [window_, sessionId],
  );
  const place = useAppStore((state) => (state.place?.sessionId === sessionId ? state.place : null));
  useReportReady();
  useEffect(() => window_.drops.take((files) => composer.current?.attachFiles(files)), [window_]);
  return (
    <div className={styles['chat']}>
      <ChatBar
        path={project?.shownPath ?? chat.projectPath}
        renaming={renaming}
        onRename={setRenaming}
        onLeave={focusComposer}
      />
      <ChatNotices />
      {project?.present === true && <InstructionsNote projectId={project.id} />}
      <div className={styles['transcript']}>
        <Transcript
          ref={reading}
          chat={chat}
          actions={transcript}
          place={place}
          footer={
            <>
              <ApprovalQueue approvals={chat.approvals} client={client} onLeave={focusComposer} />
              <QuestionQueue
                questions={chat.questions}
                behind={chat.approvals.length > 0}
                client={client}
                onLeave={focusComposer}
              />
            </>
          }
          empty={
            <NewChat
              path={project?.shownPath ?? ''}
              guide={chat.summary.model === 'guide'}
              onWrite={(text) => composer.current?.write(text)}
            />
          }
        />
      </div>
      {chat.shell !== null && (
        <ShellStrip sessionId={sessionId} shell={chat.shell} client={client} onLeave={focusComposer} />
      )}
      <Composer
        ref={composer}
        chat={chat}
        client={client}
        models={models}
        shiftTabCyclesModes={shiftTabCyclesModes}
        shownPath={project?.shownPath ?? chat.projectPath}
        mostBytes={mostBytes}
        projectPresent={project?.present ?? false}
        actions={commands}
      />
    </div>
  );
}

interface Places {
  readonly focus: () => void;
  readonly rename: () => void;
  readonly sent: () => void;
}

/** What the transcript and the composer ask of the window, for one chat. */
function chatActions(
  { client, chats, acts, layout }: ReturnType<typeof useWindow>,
  sessionId: SessionId,
  places: Places,
) {
  return {
    focusComposer: places.focus,
    transcript: {
      loadEarlier: () =>
        chats
          .loadEarlier(sessionId)
          .catch(() =>
            acts.notify('error', 'Earlier messages could not be read. They are kept; scroll up to try again.'),
          ),
      loadEntry: (entryId: string) => chats.loadEntry(sessionId, entryId),
      rewindTo: (entryId: string) =>
        void acts.attempt(async () => {
          const entry = chats.store.getState().chats[sessionId]?.chat?.entries.find(({ id }) => id === entryId);
          if (entry) await goBack(client, layout, { sessionId, entryId: entry.id, turnSeq: null });
        }),
      continueTurn: () => void acts.attempt(() => client.sessions.continueTurn({ sessionId })),
      removeQueued: (queueId: string) => void acts.attempt(() => client.sessions.removeQueued({ sessionId, queueId })),
      undoReduction: (entryId: EntryId) => void acts.attempt(() => client.context.undo({ sessionId, entryId })),
      openSettings: () => layout.showSettings('models'),
    },
    commands: {
      newChat: () => void acts.newChat(),
      openAuthority: () => layout.showPanel('authority'),
      openSettings: () => layout.showSettings('models'),
      openHelp: () => layout.showDialog({ type: 'help' }),
      startRename: places.rename,
      lookAgain: () =>
        void acts.attempt(async () => {
          await acts.readProjects();
          await chats.lookAgain(sessionId);
        }),
      loaded: (report: Parameters<typeof describeImport>[0]) => acts.notify('info', `Loaded ${describeImport(report)}`),
      reduced: ({ skipped }: { skipped: boolean }) => {
        if (skipped) acts.notify('info', 'There is nothing to compact: the conversation is short enough.');
      },
      sent: () => {
        acts.markUsed(sessionId);
        places.sent();
      },
    },
  };
}

interface NewChatProps {
  readonly path: string;
  /** The guide answers, which understands a few requests only. */
  readonly guide: boolean;
  readonly onWrite: (text: string) => void;
}

function NewChat({ path, guide, onWrite }: NewChatProps) {
  const examples = GUIDE_EXAMPLES.map((text) => (
    <Button key={text} size="small" onClick={() => onWrite(text)}>
      {text}
    </Button>
  ));
  return (
    <EmptyState title={`A new chat in ${path}`} {...(guide ? { actions: examples } : {})}>
      Ask for something in this folder. What it may do stands at the right; whatever goes further asks you first.
      {guide && ' The guide answers; it understands requests such as these.'}
    </EmptyState>
  );
}
