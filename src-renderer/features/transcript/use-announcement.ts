// What a screen reader hears when an answer has come: its beginning, once, politely. Streaming is never read out.
import { useState } from 'react';
import type { TranscriptItem } from '../../state/transcript-items.ts';

const SPOKEN_CHARACTERS = 400;

/** The words to put into a polite live region. What was there when the chat was opened is not read out. */
export function useAnnouncement(items: readonly TranscriptItem[]): string {
  const answer = items.findLast((item) => item.kind === 'answer');
  const key = answer?.key ?? '';
  const [opened, setOpened] = useState({ key, changed: false });
  if (!opened.changed && opened.key !== key) setOpened({ key, changed: true });
  if (!opened.changed || answer === undefined) return '';
  const text = answer.text;
  return `Warrant: ${text.length > SPOKEN_CHARACTERS ? `${text.slice(0, SPOKEN_CHARACTERS)} …` : text}`;
}
