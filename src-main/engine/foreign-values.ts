// Checks what a tool of somebody else's gives, by the contract's schemas. Loaded at the first such tool: the built-in ones
// are held by their types, and a start does not pay for schemas that it does not use.
import { effectSchema, type Effect } from '../contract/authority.ts';
import { fileChangeSchema, previewSchema, resultFactsSchema, type Preview } from '../contract/entries.ts';
import type { PreparedCall, ToolOutcome } from './ports.ts';

/** The effects and the preview of a prepared call, or null when they are none. */
export function parsePrepared(given: PreparedCall): { effects: Effect[]; preview: Preview } | null {
  const effects = effectSchema.array().nonempty().safeParse(given.effects);
  const preview = previewSchema.safeParse(given.preview);
  return effects.success && preview.success ? { effects: effects.data, preview: preview.data } : null;
}

/** Whether a value has the shape of an outcome. */
export function isOutcome(outcome: ToolOutcome): boolean {
  return (
    ['ok', 'error', 'cancelled'].includes(outcome.status) &&
    typeof outcome.content === 'string' &&
    resultFactsSchema.safeParse(outcome.facts).success &&
    fileChangeSchema.array().safeParse(outcome.changes).success
  );
}
