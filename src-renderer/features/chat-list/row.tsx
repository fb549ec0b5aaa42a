// One row of the list, by kind.
import { memo, type ReactNode } from 'react';
import { ChevronDown, ChevronRight, Ellipsis, FolderX, Plus } from 'lucide-react';
import type { Project } from '../../../src-main/contract/project.ts';
import { SHORTCUTS } from '../../state/shortcuts.ts';
import { useActs } from '../../state/window-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { classes } from '../../ui/classes.ts';
import { ChatRow } from './chat-row.tsx';
import { HitRow } from './hit-row.tsx';
import type { ListRow } from './list-rows.ts';
import styles from './row.module.css';

export interface RowProps {
  readonly row: ListRow;
  readonly current: boolean;
  /** This row is the one in the tab order. */
  readonly tabStop: boolean;
  readonly now: number;
  readonly onFocus: () => void;
  readonly onToggle: (projectId: string) => void;
}

export const Row = memo(function Row({ row, current, tabStop, now, onFocus, onToggle }: RowProps): ReactNode {
  switch (row.kind) {
    case 'project':
      return <ProjectRow {...row} tabStop={tabStop} onFocus={onFocus} onToggle={onToggle} />;
    case 'chat':
      return (
        <ChatRow
          chat={row.chat}
          project={row.project}
          current={current}
          tabStop={tabStop}
          now={now}
          onFocus={onFocus}
        />
      );
    case 'more':
      return (
        <div className={styles['note']} data-row={row.key}>
          {row.loading && <Spinner label="Reading more chats" withText />}
        </div>
      );
    case 'hit':
      return <HitRow hit={row.hit} id={row.key} tabStop={tabStop} onFocus={onFocus} />;
    case 'note':
      return <p className={styles['note']}>{row.text}</p>;
    case 'error':
      return <ErrorRow {...row} tabStop={tabStop} />;
  }
}, sameRow);

function sameRow(a: RowProps, b: RowProps): boolean {
  if (a.current !== b.current || a.tabStop !== b.tabStop || a.now !== b.now || a.row.kind !== b.row.kind) return false;
  if (a.row.kind === 'chat' && b.row.kind === 'chat')
    return a.row.chat === b.row.chat && a.row.project === b.row.project;
  return JSON.stringify(a.row) === JSON.stringify(b.row);
}

interface ProjectRowProps {
  readonly project: Project;
  readonly collapsed: boolean;
  readonly tabStop: boolean;
  readonly onFocus: () => void;
  readonly onToggle: (projectId: string) => void;
}

function ProjectRow({ project, collapsed, tabStop, onFocus, onToggle }: ProjectRowProps) {
  const { newChat, copyText, forgetProject, askWhereProjectIs } = useActs();
  const tabIndex = tabStop ? 0 : -1;
  return (
    <div className={classes(styles['project'], !project.present && styles['gone'])}>
      <h2 className={styles['name']}>
        <button
          type="button"
          data-row={project.id}
          tabIndex={tabIndex}
          aria-expanded={!collapsed}
          title={project.shownPath}
          onFocus={onFocus}
          onClick={() => onToggle(project.id)}
        >
          {project.present ? (
            collapsed ? (
              <ChevronRight size={12} aria-hidden="true" />
            ) : (
              <ChevronDown size={12} aria-hidden="true" />
            )
          ) : (
            <FolderX size={12} aria-hidden="true" />
          )}
          <bdi>{project.name}</bdi>
          {!project.present && <small>· not there</small>}
        </button>
      </h2>
      <Menu
        align="end"
        trigger={
          <IconButton
            size="small"
            tabIndex={tabIndex}
            label={`More for ${project.name}`}
            icon={<Ellipsis size={14} aria-hidden="true" />}
          />
        }
      >
        {project.present && (
          <MenuItem onSelect={() => void newChat(project.id, { saved: false })}>New chat that is not saved</MenuItem>
        )}
        <MenuItem onSelect={() => void copyText(project.path)}>Copy the path</MenuItem>
        <MenuItem onSelect={() => void askWhereProjectIs(project.id)}>Say where its folder is now…</MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => void forgetProject(project.id)}>Take out of this list (its chats stay)</MenuItem>
      </Menu>
      {project.present && (
        <IconButton
          size="small"
          tabIndex={tabIndex}
          label={`New chat in ${project.name}`}
          shortcut={SHORTCUTS['new-chat'].keys}
          icon={<Plus size={14} aria-hidden="true" />}
          onClick={() => void newChat(project.id)}
        />
      )}
    </div>
  );
}

interface ErrorRowProps {
  readonly project: Project | null;
  readonly text: string;
  readonly key?: string;
  readonly tabStop: boolean;
}

function ErrorRow({ project, text, tabStop }: ErrorRowProps) {
  const { loadMore } = useActs();
  return (
    <div className={styles['error']} role="alert">
      <span>{text}</span>
      {project && (
        <button
          type="button"
          data-row={`${project.id}-end`}
          tabIndex={tabStop ? 0 : -1}
          onClick={() => void loadMore(project.id)}
        >
          Try again
        </button>
      )}
    </div>
  );
}
