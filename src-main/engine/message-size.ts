// The size of one message in characters, with all that goes out with it.
import { charactersOf } from './budgets.ts';
import type { ModelMessage } from './ports.ts';

/** Characters of a message; the provider's own data goes out with every request as well. */
export function charactersOfMessage(message: ModelMessage): number {
  if (message.role === 'user') return message.text.length;
  if (message.role === 'tool') return message.content.length;
  let metadata = 0;
  for (const part of message.parts)
    if (part.type !== 'text' && part.metadata) metadata += JSON.stringify(part.metadata).length;
  return charactersOf(message.parts) + metadata;
}
