// Which chats are the largest.
import { useCallback } from 'react';
import type { ReactElement } from 'react';
import { useClient } from '../../state/window-context.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useFetched } from '../../state/use-fetched.ts';
import { Section } from './section.tsx';
import { shownBytes } from './shown-values.ts';
import styles from './data-page.module.css';

const SHOWN = 10;
const PLACES = { list: '', archive: ' · archived', trash: ' · in the trash' } as const;

export function SizesSection(): ReactElement {
  const client = useClient();
  const load = useCallback(() => client.app.listChatSizes({ limit: SHOWN }), [client]);
  const { value, error } = useFetched(load, 0);
  return (
    <Section title="The largest chats">
      {error !== null && <ErrorNote>{error.message}</ErrorNote>}
      <ul className={styles['chats']} aria-label="The largest chats">
        {(value ?? []).map((chat) => (
          <li key={chat.id}>
            <span>
              {chat.title === '' ? 'New chat' : chat.title}
              {PLACES[chat.place]}
            </span>
            <span>{shownBytes(chat.bytes)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
