// What a key means in the composer. Pure; keys of an input method never come here.
// Invariant: no key here answers an approval.

export interface KeyFacts {
  readonly key: string;
  readonly shift: boolean;
  /** Ctrl, Alt or Meta is held. */
  readonly other: boolean;
  /** A list of choices is open, and the chosen one is not already written whole. */
  readonly choosing: boolean;
  /** A list of choices is open. */
  readonly open: boolean;
  readonly running: boolean;
  /** Shift+Tab cycles modes (a setting); Shift+F6 then leaves backwards. */
  readonly cyclesModes: boolean;
}

export type KeyAction = 'next' | 'previous' | 'take' | 'dismiss' | 'send' | 'stop' | 'cycle-mode' | 'leave-backwards';

function plainAction({ key, open, choosing, running }: KeyFacts): KeyAction | null {
  if (open) {
    if (key === 'ArrowDown') return 'next';
    if (key === 'ArrowUp') return 'previous';
    if (key === 'Escape') return 'dismiss';
    if (key === 'Tab' || (key === 'Enter' && choosing)) return 'take';
  }
  if (key === 'Enter') return 'send';
  return key === 'Escape' && running ? 'stop' : null;
}

/** The action, or null: the key is the text field's own, or the window's. */
export function toKeyAction(facts: KeyFacts): KeyAction | null {
  if (facts.other) return null;
  if (!facts.shift) return plainAction(facts);
  if (facts.key === 'Tab' && facts.cyclesModes) return 'cycle-mode';
  return facts.key === 'F6' ? 'leave-backwards' : null;
}
