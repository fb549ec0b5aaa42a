// The note that stands for a folded beginning: made of the messages themselves, or with a summary that a model wrote. It
// is bounded, says that nothing is lost, and how the rest is read.
import type { ModelMessage } from './ports.ts';

export interface NoteInput {
  /** The messages that the note stands for, as they were. */
  readonly messages: readonly ModelMessage[];
  /** How many are set aside in all. */
  readonly count: number;
  /** What to keep in mind above all; '' = nothing in particular. */
  readonly focus: string;
  /** A fresh objective; '' = the work goes on. */
  readonly objective: string;
  /** What a model wrote; null = there is none. */
  readonly summary: string | null;
}

const NEWEST_REQUEST = 4000;
const OLD_REQUEST = 300;
const REQUESTS = 12;
const CALLS = 40;
const CALL = 160;

/** The note's words. */
export function foldNote({ messages, count, focus, objective, summary }: NoteInput): string {
  const head = `[Note by the program, not by the person: ${count} earlier messages of this chat were set aside to make room. Nothing is lost: sidecar_search finds words in them, expand_reduction reads one by its id.]`;
  const parts = [
    head,
    ...(objective === '' ? [] : [`The objective from here on: ${objective}`]),
    ...(focus === '' ? [] : [`Keep in mind above all: ${focus}`]),
    ...(summary === null ? [] : [`What happened, in short:\n${summary}`]),
    ...requests(messages),
    ...(summary === null ? deeds(messages) : []),
  ];
  return parts.join('\n\n');
}

function requests(messages: readonly ModelMessage[]): string[] {
  const asked = messages.flatMap((message) =>
    message.role === 'user' && !message.text.startsWith('[Note by the program') ? [message.text.trim()] : [],
  );
  const newest = asked.at(-1);
  if (newest === undefined) return [];
  const older = asked.slice(0, -1).slice(-REQUESTS);
  const lines = older.map((text) => `- ${oneLine(text, OLD_REQUEST)}`);
  return [
    ...(lines.length > 0 ? [`The person asked before:\n${lines.join('\n')}`] : []),
    `The person asked last:\n${cut(newest, NEWEST_REQUEST)}`,
  ];
}

function deeds(messages: readonly ModelMessage[]): string[] {
  const calls = new Set<string>();
  let said = '';
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.parts) {
      if (part.type === 'tool-call') calls.add(oneLine(`${part.name} ${part.argumentsText}`, CALL));
      else if (part.type === 'text' && part.text.trim() !== '') said = part.text.trim();
    }
  }
  const newest = [...calls].slice(-CALLS).map((line) => `- ${line}`);
  return [
    ...(newest.length > 0 ? [`What you called, the newest last:\n${newest.join('\n')}`] : []),
    ...(said === '' ? [] : [`What you said last: ${oneLine(said, 600)}`]),
  ];
}

const oneLine = (text: string, most: number): string => cut(text.replace(/\s+/g, ' '), most);

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}…`;
}
