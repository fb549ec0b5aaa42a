// The panel at the right: what this chat may do, what it changed, who allowed what, what the model is sent, and its tree.
import { useCallback, useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { WindowEntry } from '../../../src-main/contract/entries.ts';
import type { EntryId, SessionId } from '../../../src-main/contract/ids.ts';
import type { Client } from '../../bridge/client.ts';
import type { ChatState } from '../../state/chat-state.ts';
import type { PanelTab } from '../../state/layout-store.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { AuthorityTab } from './authority-tab.tsx';
import { ChangesTab } from './changes-tab.tsx';
import { ContextTab } from './context-tab.tsx';
import type { AskRestore } from './turn-changes.tsx';
import { TreeTab } from './tree-tab.tsx';
import { LedgerTab } from './ledger-tab.tsx';
import { useFetched } from '../../state/use-fetched.ts';
import styles from './panel.module.css';

export interface PanelProps {
  readonly chat: ChatState;
  readonly client: Client;
  /** The project's folder as shown. */
  readonly shownPath: string;
  /** Stands in the authority: what is said of the project's own instructions. */
  readonly instructions: ReactNode;
  readonly tab: PanelTab;
  readonly onTab: (tab: PanelTab) => void;
  /** A copy was made as a chat of its own. */
  readonly onFork: (sessionId: SessionId) => void;
  readonly onRestore: AskRestore;
  /** Goes back to before an entry, to the end of the turn before; asks where files are concerned. */
  readonly onGoBack: (entryId: EntryId, turnSeq: number) => Promise<void>;
  /** Stands at the end of the row of tabs. */
  readonly trailing?: ReactNode;
}

/** The newest entry that the lists below are made of; each newer one means that they changed. */
function newestCallSeq(entries: readonly WindowEntry[]): number {
  const newest = entries.findLast(
    ({ kind }) => kind === 'verdict' || kind === 'tool-start' || kind === 'tool-result' || kind === 'approval-request',
  );
  return newest?.seq ?? 0;
}

function Count({ label, count }: { label: string; count: number | undefined }): ReactElement {
  return (
    <>
      {label}
      {count !== undefined && count > 0 && <span className={styles['count']}> {count}</span>}
    </>
  );
}

/** See the file's header. Another chat's panel starts anew: give it a key of the session id. */
export function Panel(props: PanelProps): ReactElement {
  const { chat, client, shownPath, instructions, tab, onTab, onFork, onRestore, onGoBack, trailing } = props;
  const { sessionId, entries } = chat;
  const version = useMemo(() => newestCallSeq(entries), [entries]);
  const changes = useFetched(
    useCallback(() => client.sessions.listChanges({ sessionId }), [client, sessionId]),
    version,
  );
  const ledger = useFetched(
    useCallback(() => client.sessions.listLedger({ sessionId }), [client, sessionId]),
    version,
  );
  return (
    <Tabs
      label="About this chat"
      value={tab}
      onChange={onTab}
      trailing={trailing}
      tabs={[
        {
          value: 'authority',
          label: 'Authority',
          content: <AuthorityTab chat={chat} client={client} shownPath={shownPath} instructions={instructions} />,
        },
        {
          value: 'changes',
          label: <Count label="Changes" count={changes.value?.length} />,
          content: <ChangesTab chat={chat} client={client} changes={changes} onRestore={onRestore} />,
        },
        {
          value: 'ledger',
          label: <Count label="Ledger" count={ledger.value?.length} />,
          content: <LedgerTab ledger={ledger} />,
        },
        {
          value: 'context',
          label: 'Context',
          content: <ContextTab chat={chat} client={client} />,
        },
        {
          value: 'tree',
          label: 'Tree',
          content: <TreeTab chat={chat} client={client} onFork={onFork} onGoBack={onGoBack} />,
        },
      ]}
    />
  );
}
