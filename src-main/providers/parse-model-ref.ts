// Model references: `guide`, or `wire:name`, or `wire:name@baseURL`. Names may contain `:`, `/` and `@`, so the address
// is split off at the last `@http`.
import { AppError } from '../base/app-error.ts';
import type { Wire } from '../contract/models.ts';

export interface ModelRef {
  /** The reference as it was written. */
  readonly ref: string;
  readonly wire: Wire;
  /** The model's name as its service knows it; `guide` for the guide. */
  readonly name: string;
  /** Without a trailing slash; null = not given. */
  readonly baseUrl: string | null;
}

// A list of its own: the contract's schema would load the validator into every start.
const WIRES = ['openai-compatible', 'openai-responses', 'anthropic', 'gemini'] as const satisfies readonly Wire[];

const EXAMPLES =
  'Write `guide`, or one of openai-compatible, openai-responses, anthropic, gemini, then `:` and the name of the model, ' +
  'for example `anthropic:claude-sonnet-5` or `openai-compatible:qwen3:8b@http://127.0.0.1:11434/v1`.';

function refuse(ref: string, what: string): AppError {
  return new AppError('config.invalid', `${what} ${EXAMPLES}`, { details: { ref: ref.slice(0, 300) } });
}

/**
 * The address of a service in the form that the wires use: http or https, no trailing slash.
 * @throws config.invalid when it is no such address, or carries a user name, password, query or fragment.
 */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const fit = url !== null && /^https?:$/.test(url.protocol) && !/\s/.test(text);
  if (!fit) {
    throw new AppError('config.invalid', 'The address of the model service must start with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new AppError(
      'config.invalid',
      'The address of the model service must hold no user name, password, query or fragment. Put the key into the settings.',
    );
  }
  return text.replace(/\/+$/, '');
}

function splitAddress(rest: string): { name: string; address: string | null } {
  const at = rest.lastIndexOf('@http');
  if (at < 0 || !/^https?:\/\//.test(rest.slice(at + 1))) return { name: rest, address: null };
  return { name: rest.slice(0, at), address: rest.slice(at + 1) };
}

/**
 * The parts of a model reference.
 * @throws config.invalid with what is wrong and how a reference looks.
 */
export function parseModelRef(ref: string): ModelRef {
  if (ref === 'guide') return { ref, wire: 'guide', name: 'guide', baseUrl: null };
  const colon = ref.indexOf(':');
  const wire = WIRES.find((name) => name === ref.slice(0, Math.max(colon, 0)));
  if (wire === undefined) throw refuse(ref, 'The model reference does not start with a wire that Warrant knows.');
  const { name, address } = splitAddress(ref.slice(colon + 1));
  if (name === '') throw refuse(ref, 'The model reference names no model.');
  if (name.length > 200 || /[\s\u0000-\u001f\u007f]/.test(name)) {
    throw refuse(ref, 'The name of the model is longer than 200 characters or contains white space.');
  }
  return { ref, wire, name, baseUrl: address === null ? null : parseBaseUrl(address) };
}
