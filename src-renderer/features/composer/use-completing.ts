// The list of choices over the text: what is completed at the caret, which choice is chosen, taking one.
import { useState } from 'react';
import type { RefObject } from 'react';
import { applyCompletion, completionAt } from './parse-input.ts';
import { useCompletions } from './use-completions.ts';
import type { CompletionChoice, CompletionSource } from './use-completions.ts';
import type { DraftHandle } from './use-draft.ts';

export interface Completing {
  readonly open: boolean;
  /** The chosen one is not already written whole, so that Enter takes it and does not send. */
  readonly choosing: boolean;
  readonly label: string;
  readonly choices: readonly CompletionChoice[];
  readonly chosen: number;
  readonly setText: (text: string, caret: number) => void;
  readonly setCaret: (caret: number) => void;
  readonly move: (by: 1 | -1) => void;
  readonly take: (index: number) => void;
  readonly dismiss: () => void;
}

/** See the file's header. */
export function useCompleting(
  field: RefObject<HTMLTextAreaElement | null>,
  { draft, change }: DraftHandle,
  source: CompletionSource,
): Completing {
  const [caret, setCaret] = useState(draft.text.length);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const [chosenAt, setChosen] = useState(0);
  const completion = completionAt(draft.text, caret);
  const choices = useCompletions(dismissed === draft.text ? null : completion, source);
  const chosen = Math.min(chosenAt, choices.length - 1);
  const setText = (text: string, at: number): void => {
    change((current) => ({ ...current, text }));
    setCaret(at);
    setChosen(0);
  };
  const take = (index: number): void => {
    const choice = choices[index];
    if (choice === undefined || completion === null) return;
    const next = applyCompletion(draft.text, caret, { from: completion.from, insert: choice.insert });
    setText(next.text, next.caret);
    requestAnimationFrame(() => field.current?.setSelectionRange(next.caret, next.caret));
  };
  return {
    open: completion !== null && choices.length > 0,
    choosing: choices[chosen]?.insert !== completion?.query,
    label: completion?.kind === 'file' ? 'Files' : 'Commands',
    choices,
    chosen,
    setText,
    setCaret,
    move: (by) => setChosen((chosen + choices.length + by) % choices.length),
    take,
    dismiss: () => setDismissed(draft.text),
  };
}
