// What a person edits before allowing: the command itself where the call is one, else the arguments as JSON. Pure.
import { z } from 'zod';
import type { Approval } from '../../../src-main/contract/session.ts';

const commandArguments = z.looseObject({ command: z.string() });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (caught) {
    if (caught instanceof SyntaxError) return undefined;
    throw caught;
  }
}

export interface EditTarget {
  readonly kind: 'command' | 'arguments';
  readonly text: string;
}

/** The text to edit. The command alone is offered only when it is exactly the call's `command` argument. */
export function toEditTarget(approval: Approval): EditTarget {
  const { preview, argumentsText } = approval;
  if (preview.type === 'command') {
    const parsed = commandArguments.safeParse(parseJson(argumentsText));
    if (parsed.success && parsed.data.command === preview.command) return { kind: 'command', text: preview.command };
  }
  const value = parseJson(argumentsText);
  return { kind: 'arguments', text: value === undefined ? argumentsText : JSON.stringify(value, null, 2) };
}

export type EditResult =
  | { readonly type: 'unchanged' }
  | { readonly type: 'invalid'; readonly message: string }
  | { readonly type: 'changed'; readonly argumentsText: string };

/** The arguments after the edit: all others stay as the model wrote them. */
export function fromEdit(approval: Approval, target: EditTarget, text: string): EditResult {
  if (text === target.text) return { type: 'unchanged' };
  if (target.kind === 'command') {
    if (text.trim() === '') return { type: 'invalid', message: 'The command is empty. Deny it if it should not run.' };
    const parsed = commandArguments.safeParse(parseJson(approval.argumentsText));
    const rest = parsed.success ? parsed.data : {};
    return { type: 'changed', argumentsText: JSON.stringify({ ...rest, command: text }) };
  }
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {
      type: 'invalid',
      message: 'This is not a JSON object. Correct it, or go back to the arguments as they were.',
    };
  }
  return { type: 'changed', argumentsText: JSON.stringify(value) };
}
