// The bar over a page: what is open, and on its right what it has cost so far.
import type { ReactNode } from 'react';
import { PanelLeft, PanelRight } from 'lucide-react';
import { SHORTCUTS } from '../../state/shortcuts.ts';
import { useLayout, useLayoutStore } from '../../state/window-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import styles from './top-bar.module.css';

export interface TopBarProps {
  readonly title: string;
  /** After the title, quieter. */
  readonly path?: string;
  readonly facts?: ReactNode;
  /** This page has a panel to show or hide. */
  readonly withPanel?: boolean;
  readonly actions?: ReactNode;
  /** Given = the title is a button that begins to rename. */
  readonly onTitleClick?: () => void;
  /** Stands in place of the title while it is renamed. */
  readonly editor?: ReactNode;
}

export function TopBar(props: TopBarProps) {
  const { title, path, facts, withPanel = false, actions, onTitleClick, editor } = props;
  const layout = useLayoutStore();
  const sideBar = useLayout((state) => state.sideBar);
  const panel = useLayout((state) => state.panel);
  return (
    <header className={styles['bar']}>
      {!sideBar && (
        <IconButton
          label="Show the chats"
          shortcut={SHORTCUTS['side-bar'].keys}
          icon={<PanelLeft size={16} aria-hidden="true" />}
          onClick={() => layout.toggleSideBar()}
        />
      )}
      {editor ?? (
        <h1 className={styles['title']} title={title}>
          {onTitleClick ? (
            <button type="button" className={styles['rename']} onClick={onTitleClick} aria-label={`${title}: rename`}>
              {title}
            </button>
          ) : (
            <span className={styles['words']}>{title}</span>
          )}
        </h1>
      )}
      {path !== undefined && (
        <span className={styles['path']} title={path}>
          <bdi>{path}</bdi>
        </span>
      )}
      <span className={styles['room']} />
      {facts !== undefined && <span className={styles['facts']}>{facts}</span>}
      {actions}
      {withPanel && (
        <IconButton
          label={panel ? 'Hide the panel' : 'Show the panel'}
          shortcut={SHORTCUTS.panel.keys}
          aria-expanded={panel}
          icon={<PanelRight size={16} aria-hidden="true" />}
          onClick={() => layout.togglePanel()}
        />
      )}
    </header>
  );
}
