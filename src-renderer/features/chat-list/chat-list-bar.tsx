// The side bar: filter, projects with their chats, and the ways to more.
import { Archive, FolderOpen, Keyboard, PanelLeftClose, Search, Settings, X } from 'lucide-react';
import { SHORTCUTS } from '../../state/shortcuts.ts';
import { useActs, useAppStore, useLayout, useLayoutStore } from '../../state/window-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Seal } from '../../ui/seal.tsx';
import { TextInput } from '../../ui/field.tsx';
import { ChatRows } from './chat-rows.tsx';
import styles from './chat-list-bar.module.css';

export function ChatListBar() {
  const layout = useLayoutStore();
  const { chooseFolder } = useActs();
  const hasProjects = useAppStore((state) => (state.app?.projects.length ?? 0) > 0);
  const inSettings = useLayout((state) => state.screen === 'settings');
  return (
    <nav className={styles['bar']} aria-label="Projects and chats">
      <div className={styles['brand']}>
        <Seal />
        <span>Warrant</span>
        <IconButton
          size="small"
          label="Hide the chats"
          shortcut={SHORTCUTS['side-bar'].keys}
          icon={<PanelLeftClose size={15} aria-hidden="true" />}
          onClick={() => layout.toggleSideBar()}
        />
      </div>
      {hasProjects && <Filter />}
      <ChatRows />
      <div className={styles['foot']}>
        <button type="button" className={styles['entry']} onClick={() => void chooseFolder()}>
          <FolderOpen size={15} aria-hidden="true" />
          <span>Open folder…</span>
          <Kbd keys={SHORTCUTS['open-folder'].keys} />
        </button>
        <button
          type="button"
          className={styles['entry']}
          aria-current={inSettings ? 'page' : undefined}
          onClick={() => (inSettings ? layout.showChat() : layout.showSettings())}
        >
          <Settings size={15} aria-hidden="true" />
          <span>Settings</span>
          <Kbd keys={SHORTCUTS.settings.keys} />
        </button>
        <button type="button" className={styles['entry']} onClick={() => layout.showDialog({ type: 'help' })}>
          <Keyboard size={15} aria-hidden="true" />
          <span>Keyboard</span>
          <Kbd keys="?" />
        </button>
      </div>
    </nav>
  );
}

function Filter() {
  const filter = useAppStore((state) => state.filter);
  const archived = useAppStore((state) => state.archived);
  const { setFilter, showArchived } = useActs();
  const label = archived ? 'Find in archived chats' : 'Find in chats';
  return (
    <div className={styles['finding']}>
      <div className={styles['find']}>
        <Search size={14} aria-hidden="true" />
        <TextInput
          type="search"
          aria-label={label}
          placeholder={label}
          value={filter}
          onChange={(text) => void setFilter(text)}
          onEscape={filter === '' ? undefined : () => void setFilter('')}
        />
        {filter !== '' && (
          <IconButton
            size="small"
            label="Clear the filter"
            icon={<X size={14} aria-hidden="true" />}
            onClick={() => void setFilter('')}
          />
        )}
      </div>
      <IconButton
        className={styles['archive']}
        label="Archived chats"
        aria-pressed={archived}
        icon={<Archive size={15} aria-hidden="true" />}
        onClick={() => void showArchived(!archived)}
      />
    </div>
  );
}
