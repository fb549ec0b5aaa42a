// The trash: chats that were deleted, to be taken back or deleted for good. What lies here for 30 days goes by itself.
import { useCallback, useState } from 'react';
import type { ReactElement } from 'react';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import { useActs, useClient } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useFetched } from '../../state/use-fetched.ts';
import { Section } from './section.tsx';
import styles from './data-page.module.css';

const SHOWN = 200;

export function TrashSection(): ReactElement {
  const client = useClient();
  const { attempt } = useActs();
  const load = useCallback(() => client.sessions.list({ projectId: null, trashed: true, limit: SHOWN }), [client]);
  const { value, error, retry } = useFetched(load, 0);
  const [sure, setSure] = useState<SessionId | null>(null);
  const act = (work: () => Promise<unknown>): void => {
    setSure(null);
    void attempt(async () => {
      await work();
      retry();
    });
  };
  const chats = value?.sessions ?? [];
  return (
    <Section title="Trash" about="Chats that you deleted. After 30 days here they are deleted for good.">
      {error !== null && <ErrorNote>{error.message}</ErrorNote>}
      {value !== null && chats.length === 0 && <p className={styles['text']}>The trash is empty.</p>}
      <ul className={styles['chats']} aria-label="Chats in the trash">
        {chats.map(({ id: sessionId, title }) => (
          <li key={sessionId}>
            <span>{title}</span>
            <Button size="small" onClick={() => act(() => client.sessions.restore({ sessionId }))}>
              Take back
            </Button>
            {sure === sessionId ? (
              <Button size="small" onClick={() => act(() => client.sessions.purge({ sessionId }))}>
                Delete it, it cannot be taken back
              </Button>
            ) : (
              <Button size="small" aria-label={`Delete ${title} for good`} onClick={() => setSure(sessionId)}>
                Delete for good
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
