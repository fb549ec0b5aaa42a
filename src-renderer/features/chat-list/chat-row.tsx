// One chat in the list: what it waits for, its title (renamed in place), when it was last active.
import { useRef, useState, type KeyboardEvent } from 'react';
import { Ellipsis, EyeOff, Pin } from 'lucide-react';
import type { SessionSummary } from '../../../src-main/contract/session.ts';
import { markOf } from '../../state/chat-list.ts';
import { useActs } from '../../state/window-context.tsx';
import { classes } from '../../ui/classes.ts';
import { TextInput } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { relativeTime } from './relative-time.ts';
import { StatusDot } from './status-dot.tsx';
import styles from './chat-row.module.css';

export interface ChatRowProps {
  readonly chat: SessionSummary;
  /** The project's name, where rows of several projects stand together. */
  readonly project: string | null;
  readonly current: boolean;
  readonly tabStop: boolean;
  readonly now: number;
  readonly onFocus: () => void;
}

export function ChatRow({ chat, project, current, tabStop, now, onFocus }: ChatRowProps) {
  const { showSession, setArchived, setPinned, trashChat, exportChat } = useActs();
  const [renaming, setRenaming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const title = chat.title === '' ? 'New chat' : chat.title;
  const endRename = (): void => {
    setRenaming(false);
    requestAnimationFrame(() => button.current?.focus());
  };
  const archive = (): void => void setArchived(chat.id, !chat.archived);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'F2') setRenaming(true);
    else if (event.key === 'Delete') archive();
    else return;
    event.preventDefault();
  };
  if (renaming) return <RenameField chat={chat} onDone={endRename} />;
  return (
    <div className={classes(styles['row'], current && styles['current'])}>
      <button
        ref={button}
        type="button"
        className={styles['chat']}
        data-row={chat.id}
        tabIndex={tabStop ? 0 : -1}
        aria-current={current ? 'page' : undefined}
        onFocus={onFocus}
        onKeyDown={press}
        onClick={() => void showSession(chat.id)}
      >
        <StatusDot mark={markOf(chat)} waiting={chat.waitingApprovals} />
        <span className={classes(styles['title'], chat.unread && styles['unread'])} title={title}>
          <Marks chat={chat} />
          {title}
          {project !== null && <small className={styles['project']}>{project}</small>}
        </span>
        <time className={styles['time']} dateTime={new Date(chat.updatedAtMs).toISOString()}>
          {relativeTime(chat.updatedAtMs, now)}
        </time>
      </button>
      <Menu
        align="end"
        trigger={
          <IconButton
            size="small"
            className={styles['more']}
            tabIndex={tabStop ? 0 : -1}
            label={`More for ${title}`}
            icon={<Ellipsis size={14} aria-hidden="true" />}
          />
        }
        onCloseAutoFocus={(event) => {
          // A field that was just opened keeps the focus.
          if (button.current === null) event.preventDefault();
        }}
      >
        <MenuItem shortcut="F2" onSelect={() => setRenaming(true)}>
          Rename
        </MenuItem>
        <MenuItem shortcut="Delete" onSelect={archive}>
          {chat.archived ? 'Take back from the archive' : 'Archive'}
        </MenuItem>
        <MenuItem onSelect={() => void setPinned(chat.id, !chat.pinned)}>
          {chat.pinned ? 'Take from the top' : 'Pin to the top'}
        </MenuItem>
        <MenuItem onSelect={() => void exportChat(chat.id, 'markdown')}>Export as Markdown</MenuItem>
        <MenuItem onSelect={() => void exportChat(chat.id, 'jsonl')}>Export all of it (JSONL)</MenuItem>
        <MenuItem onSelect={() => void trashChat(chat.id)}>
          {chat.saved ? 'Move to the trash' : 'Delete it: it is not saved'}
        </MenuItem>
      </Menu>
    </div>
  );
}

/** What a chat is beside its title: at the top because it was pinned, or not saved. */
function Marks({ chat }: { readonly chat: SessionSummary }) {
  return (
    <>
      {chat.pinned && <Pin size={11} role="img" aria-label="Pinned" className={styles['mark']} />}
      {!chat.saved && <EyeOff size={11} role="img" aria-label="Not saved" className={styles['mark']} />}
    </>
  );
}

interface RenameFieldProps {
  readonly chat: SessionSummary;
  readonly onDone: () => void;
}

function RenameField({ chat, onDone }: RenameFieldProps) {
  const { renameChat } = useActs();
  const [title, setTitle] = useState(chat.title);
  const ended = useRef(false);
  const end = (save: boolean): void => {
    if (ended.current) return;
    ended.current = true;
    if (save) void renameChat(chat.id, title);
    onDone();
  };
  return (
    <div className={styles['rename']}>
      <TextInput
        aria-label="Title of this chat"
        autoFocus
        maxLength={300}
        value={title}
        onChange={setTitle}
        onFocus={(event) => event.currentTarget.select()}
        onEnter={() => end(true)}
        onEscape={() => end(false)}
        onBlur={() => end(true)}
      />
    </div>
  );
}
