// The bar of an open chat: its title (renamed where it stands), its folder, what its turn has taken.
import { useRef, useState } from 'react';
import { useActs, useChat } from '../../state/window-context.tsx';
import { TextInput } from '../../ui/field.tsx';
import { ChatFacts } from './chat-facts.tsx';
import { TopBar } from './top-bar.tsx';
import styles from './chat-bar.module.css';

export interface ChatBarProps {
  readonly path: string;
  readonly renaming: boolean;
  readonly onRename: (renaming: boolean) => void;
  /** Gives the focus back to where messages are written. */
  readonly onLeave: () => void;
}

export function ChatBar({ path, renaming, onRename, onLeave }: ChatBarProps) {
  const title = useChat((chat) => (chat.summary.title === '' ? 'New chat' : chat.summary.title));
  const stale = useChat((chat) => chat.connection === 'stale');
  const end = (): void => {
    onRename(false);
    onLeave();
  };
  return (
    <TopBar
      title={title}
      path={path}
      withPanel
      facts={stale ? <span role="status">catching up…</span> : <ChatFacts />}
      onTitleClick={() => onRename(true)}
      editor={renaming ? <TitleField title={title} onDone={end} /> : undefined}
    />
  );
}

interface TitleFieldProps {
  readonly title: string;
  readonly onDone: () => void;
}

function TitleField({ title, onDone }: TitleFieldProps) {
  const { renameChat } = useActs();
  const sessionId = useChat((chat) => chat.sessionId);
  const [typed, setTyped] = useState(title);
  const ended = useRef(false);
  // Enter and Esc take the focus away, which must not save once more.
  const end = (save: boolean): void => {
    if (ended.current) return;
    ended.current = true;
    if (save) void renameChat(sessionId, typed);
    onDone();
  };
  return (
    <TextInput
      className={styles['field']}
      aria-label="Title of this chat"
      autoFocus
      maxLength={300}
      value={typed}
      onChange={setTyped}
      onFocus={(event) => event.currentTarget.select()}
      onEnter={() => end(true)}
      onEscape={() => end(false)}
      onBlur={() => end(true)}
    />
  );
}
