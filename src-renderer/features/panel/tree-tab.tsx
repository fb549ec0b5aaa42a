// The tree of this chat: every turn of every branch, going to one, taking a move back, naming a branch, copying a path
// into a chat of its own. Nothing here deletes.
import { useCallback, useState } from 'react';
import type { ReactElement } from 'react';
import { Copy, GitBranch, Undo2 } from 'lucide-react';
import type { WireError } from '../../../src-main/contract/errors.ts';
import type { EntryId, SessionId } from '../../../src-main/contract/ids.ts';
import type { TreeTurnView, TreeView } from '../../../src-main/contract/session-tree.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import type { Client } from '../../bridge/client.ts';
import type { ChatState } from '../../state/chat-state.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { showClock } from '../../ui/show-time.ts';
import { nextOnPath, treeLines, turnText } from './describe-tree.ts';
import { useFetched } from '../../state/use-fetched.ts';
import panel from './panel.module.css';
import styles from './tree-tab.module.css';

export interface TreeTabProps {
  readonly chat: ChatState;
  readonly client: Client;
  readonly onFork: (sessionId: SessionId) => void;
  /** Goes back to before an entry, to the end of the turn before; asks where files are concerned. */
  readonly onGoBack: (entryId: EntryId, turnSeq: number) => Promise<void>;
}

interface TurnLineProps {
  readonly turn: TreeTurnView;
  readonly depth: number;
  readonly resting: boolean;
  readonly onJump: (turn: TreeTurnView) => void;
  readonly onFork: (turn: TreeTurnView) => void;
}

function TurnLine({ turn, depth, resting, onJump, onFork }: TurnLineProps): ReactElement {
  const text = turnText(turn);
  return (
    <li className={styles['turn']} style={{ paddingInlineStart: `${Math.min(depth, 8) * 12}px` }}>
      <button
        type="button"
        className={classes(styles['go'], turn.onPath && styles['on-path'])}
        aria-current={turn.current ? 'step' : undefined}
        disabled={turn.current || !resting}
        title={resting ? text : 'Wait for the answer, or stop it, and then go there.'}
        onClick={() => onJump(turn)}
      >
        <span className={styles['text']} dir="auto">
          {text}
        </span>
        <span className={panel['small']}>
          {showClock(turn.atMs, Date.now())}
          {turn.current && ' · here'}
        </span>
      </button>
      <IconButton
        label={`Copy the chat up to “${text}” into a new one`}
        icon={<Copy size={14} aria-hidden="true" />}
        onClick={() => onFork(turn)}
      />
    </li>
  );
}

interface BranchLineProps {
  readonly number: number;
  readonly name: string;
  readonly depth: number;
  readonly onName: (branch: number, name: string) => void;
}

function BranchLine({ number, name, depth, onName }: BranchLineProps): ReactElement {
  const [editing, setEditing] = useState(false);
  const done = (value: string): void => {
    setEditing(false);
    if (value.trim() !== name) onName(number, value.trim());
  };
  return (
    <li className={styles['branch']} style={{ paddingInlineStart: `${Math.min(depth, 8) * 12}px` }}>
      <GitBranch size={13} aria-hidden="true" />
      {editing ? (
        <input
          className={styles['name']}
          aria-label="Name of the branch"
          defaultValue={name}
          maxLength={100}
          autoFocus
          onBlur={(event) => done(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') done(event.currentTarget.value);
            if (event.key === 'Escape') {
              event.stopPropagation();
              setEditing(false);
            }
          }}
        />
      ) : (
        <button type="button" className={styles['name']} aria-label={`Rename ${name}`} onClick={() => setEditing(true)}>
          {name}
        </button>
      )}
    </li>
  );
}

/** See the file's header. */
export function TreeTab({ chat, client, onFork, onGoBack }: TreeTabProps): ReactElement {
  const { sessionId, entries } = chat;
  const load = useCallback(() => client.sessions.readTree({ sessionId }), [client, sessionId]);
  const { value, error, retry } = useFetched(load, entries.at(-1)?.seq ?? 0);
  const [failure, setFailure] = useState<WireError | null>(null);
  const resting = chat.summary.status !== 'running' && chat.summary.status !== 'waiting' && chat.heldBy === null;
  const act = (work: () => Promise<unknown>): void => {
    setFailure(null);
    work().then(retry, (caught: unknown) => setFailure(wireErrorOf(caught)));
  };
  const shown = failure ?? error;
  return (
    <div className={panel['tab']}>
      {shown !== null && (
        <ErrorNote
          actions={
            <Button size="small" onClick={retry}>
              Look again
            </Button>
          }
        >
          {shown.message}
        </ErrorNote>
      )}
      {value === null && error === null && <Spinner label="Loading the tree" withText />}
      {value !== null && (
        <TreeBody
          tree={value}
          resting={resting}
          onUndo={() => act(() => client.sessions.undoRewind({ sessionId }))}
          onJump={(turn) =>
            act(async () => {
              const next = nextOnPath(value, turn);
              if (next) await onGoBack(next.entryId, turn.seq);
              else await client.sessions.jump({ sessionId, turnSeq: turn.seq });
            })
          }
          onName={(branch, name) => act(() => client.sessions.nameBranch({ sessionId, branch, name }))}
          onFork={(turn) => act(async () => onFork((await client.sessions.fork({ sessionId, turnSeq: turn.seq })).id))}
        />
      )}
    </div>
  );
}

interface TreeBodyProps extends Pick<TurnLineProps, 'resting' | 'onJump' | 'onFork'>, Pick<BranchLineProps, 'onName'> {
  readonly tree: TreeView;
  readonly onUndo: () => void;
}

function TreeBody({ tree, resting, onUndo, onJump, onFork, onName }: TreeBodyProps): ReactElement {
  if (tree.turns.length === 0) {
    return (
      <EmptyState icon={<GitBranch size={20} aria-hidden="true" />} title="No turns yet">
        Each message and its answer are listed here. Going back to one keeps what came after as a branch.
      </EmptyState>
    );
  }
  const lines = treeLines(tree);
  const branched = lines.filter((line) => line.type === 'branch').length > 1;
  return (
    <>
      {tree.undoable > 0 && (
        <Button size="small" disabled={!resting} onClick={onUndo}>
          <Undo2 size={14} aria-hidden="true" /> Take the last move back
        </Button>
      )}
      {tree.hidden > 0 && (
        <p className={panel['words']}>
          {tree.hidden === 1 ? 'One other branch is' : `${tree.hidden} other branches are`} kept and not shown: branches
          are switched off in the settings.
        </p>
      )}
      <ul className={styles['tree']} aria-label="Turns of this chat">
        {lines.map((line) => {
          if (line.type === 'turn') {
            return <TurnLine key={line.turn.seq} {...line} resting={resting} onJump={onJump} onFork={onFork} />;
          }
          return branched && <BranchLine key={`branch ${line.number}`} {...line} onName={onName} />;
        })}
      </ul>
    </>
  );
}
