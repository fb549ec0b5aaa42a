// Find chats of all projects and commands by typing. Chats are searched by main, so that old ones are found too.
import { useEffect, useState } from 'react';
import { Command } from 'cmdk';
import { EyeOff, FolderOpen, Keyboard, MessageSquare, PanelLeft, PanelRight, Plus, Settings } from 'lucide-react';
import type { SessionSummary } from '../../../src-main/contract/session.ts';
import { knownChats } from '../../state/app-store.ts';
import { SHORTCUTS } from '../../state/shortcuts.ts';
import { useApp, useClient, useLayoutStore, useWindow } from '../../state/window-context.tsx';
import { Dialog as Radix } from 'radix-ui';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { isComposing } from '../../ui/is-composing.ts';
import styles from './palette.module.css';

const FOUND = 20;

export function Palette() {
  const { acts } = useWindow();
  const layout = useLayoutStore();
  const [query, setQuery] = useState('');
  const chats = useFoundChats(query);
  const projects = useApp((app) => app.projects);
  const returnFocus = useReturnFocus();
  const close = (): void => layout.closeDialog();
  const run = (act: () => void): (() => void) => {
    return () => {
      close();
      act();
    };
  };
  const commands = [
    { name: 'New chat', icon: Plus, keys: SHORTCUTS['new-chat'].keys, act: () => void acts.newChat() },
    { name: 'New chat that is not saved', icon: EyeOff, act: () => void acts.newChat(undefined, { saved: false }) },
    { name: 'Open folder', icon: FolderOpen, keys: SHORTCUTS['open-folder'].keys, act: () => void acts.chooseFolder() },
    { name: 'Settings', icon: Settings, keys: SHORTCUTS.settings.keys, act: () => layout.showSettings() },
    { name: 'Models and keys', icon: Settings, act: () => layout.showSettings('models') },
    { name: 'Permissions', icon: Settings, act: () => layout.showSettings('permissions') },
    { name: 'Show or hide the chats', icon: PanelLeft, keys: SHORTCUTS['side-bar'].keys, act: layout.toggleSideBar },
    { name: 'Show or hide the panel', icon: PanelRight, keys: SHORTCUTS.panel.keys, act: layout.togglePanel },
    { name: 'Keyboard', icon: Keyboard, keys: '?', act: () => layout.showDialog({ type: 'help' }) },
  ];
  const wanted = query.trim().toLowerCase();
  const shownCommands = commands.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <Radix.Root open onOpenChange={(open) => !open && close()}>
      <Radix.Portal>
        <Radix.Overlay className={styles['scrim']} />
        <Radix.Content className={styles['palette']} aria-describedby={undefined} onCloseAutoFocus={returnFocus}>
          <Radix.Title className="visually-hidden">Find chats and commands</Radix.Title>
          <Command
            label="Find chats and commands"
            shouldFilter={false}
            loop
            onKeyDown={(event) => isComposing(event) && event.stopPropagation()}
          >
            <Command.Input
              value={query}
              onValueChange={setQuery}
              placeholder="Find chats and commands"
              className={styles['input']}
            />
            <Command.List className={styles['list']}>
              <Command.Empty className={styles['empty']}>Nothing is called that.</Command.Empty>
              {chats.length > 0 && (
                <Command.Group heading="Chats" className={styles['group']}>
                  {chats.map((chat) => (
                    <Command.Item
                      key={chat.id}
                      value={chat.id}
                      className={styles['item']}
                      onSelect={run(() => void acts.showSession(chat.id))}
                    >
                      <MessageSquare size={14} aria-hidden="true" />
                      <span className={styles['words']}>{chat.title}</span>
                      <small>{projects.find((project) => project.id === chat.projectId)?.name}</small>
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
              {shownCommands.length > 0 && (
                <Command.Group heading="Commands" className={styles['group']}>
                  {shownCommands.map(({ name, icon: Icon, keys, act }) => (
                    <Command.Item key={name} value={name} className={styles['item']} onSelect={run(act)}>
                      <Icon size={14} aria-hidden="true" />
                      <span className={styles['words']}>{name}</span>
                      {keys !== undefined && <Kbd keys={keys} />}
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The newest known chats, then what main finds for the words; an answer to older words is dropped. */
function useFoundChats(query: string): readonly SessionSummary[] {
  const client = useClient();
  const { app } = useWindow();
  const [found, setFound] = useState<readonly SessionSummary[]>(() => newest(knownChats(app.getState())));
  useEffect(() => {
    let newer = false;
    const filter = query.trim();
    if (filter === '') {
      setFound(newest(knownChats(app.getState())));
      return undefined;
    }
    client.sessions.list({ projectId: null, filter, limit: FOUND }).then(
      (page) => !newer && setFound(page.sessions),
      () => !newer && setFound([]),
    );
    return () => {
      newer = true;
    };
  }, [app, client, query]);
  // Until the answer to these words is there, what older words found must not be chosen by Enter.
  const wanted = folded(query.trim());
  return wanted === '' ? found : found.filter(({ title }) => folded(title).includes(wanted));
}

/** As main compares titles. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function newest(chats: readonly SessionSummary[]): readonly SessionSummary[] {
  return chats.toSorted((a, b) => b.updatedAtMs - a.updatedAtMs).slice(0, 8);
}
