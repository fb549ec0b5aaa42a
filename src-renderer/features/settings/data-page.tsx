// Where everything lies, how large it is, and what leaves the machine.
import { useEffect, useState } from 'react';
import type { DataStats } from '../../../src-main/contract/api.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { useActs, useApp, useClient } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { ChatsSection } from './chats-section.tsx';
import { ImportSection } from './import-section.tsx';
import { Page, Section } from './section.tsx';
import { SizesSection } from './sizes-section.tsx';
import { TrashSection } from './trash-section.tsx';
import { shownBytes } from './shown-values.ts';
import styles from './data-page.module.css';

export function DataPage() {
  const folder = useApp((app) => app.dataFolder);
  const client = useClient();
  const { copyText, notify } = useActs();
  const openFolder = async (): Promise<void> => {
    try {
      await client.app.openDataFolder({});
    } catch (caught) {
      notify('error', wireErrorOf(caught).message);
    }
  };
  return (
    <Page title="Data">
      <Section
        title="Where your chats are"
        about="Everything is in one folder that only you can read. The chats are copied into its folder backups once a day; the newest seven copies are kept, and one from before each change of the format."
      >
        <div className={styles['folder']}>
          <code>{folder}</code>
          <Button size="small" onClick={() => void copyText(folder)}>
            Copy
          </Button>
          <Button size="small" onClick={() => void openFolder()}>
            Open
          </Button>
        </div>
        <Stats />
      </Section>
      <ChatsSection />
      <ImportSection />
      <TrashSection />
      <SizesSection />
      <Section title="What leaves this machine">
        <p className={styles['text']}>
          Your messages, the files and outputs that a chat has read, and the descriptions of its tools go to the model
          service that you chose for that chat, and nowhere else. With a model on this machine, or with the guide,
          nothing leaves it. Warrant sends no statistics and looks for no updates.
        </p>
      </Section>
    </Page>
  );
}

function Stats() {
  const client = useClient();
  const [stats, setStats] = useState<DataStats | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    client.app.getDataStats({}).then(
      (found) => !gone && setStats(found),
      (caught: unknown) => !gone && setProblem(wireErrorOf(caught).message),
    );
    return () => {
      gone = true;
    };
  }, [client]);
  if (problem !== null) return <ErrorNote>{problem}</ErrorNote>;
  if (!stats) return <Spinner label="Measuring" withText />;
  const rows: readonly (readonly [string, string])[] = [
    ['Chats', stats.sessions.toLocaleString('en')],
    ['Entries in them', stats.entries.toLocaleString('en')],
    ['Database', shownBytes(stats.databaseBytes)],
    ['Of it free, given back little by little', shownBytes(stats.freeBytes)],
    ['Long outputs kept beside it', shownBytes(stats.outputBytes)],
    ['Files kept by file checkpoints', shownBytes(stats.checkpointBytes)],
    ['Daily backups', `${stats.backups.count} (${shownBytes(stats.backups.bytes)})`],
  ];
  return (
    <>
      {stats.journal === 'rollback' && (
        <ErrorNote level="info">
          This folder is on a drive that machines share. Warrant writes there more slowly, in a way that is safe on it.
        </ErrorNote>
      )}
      <dl className={styles['stats']}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
