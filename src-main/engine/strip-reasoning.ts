// Takes reasoning out of messages for a model that is known not to keep it (HIST-07). A model of which that is not known
// gets it as it is (HIST-08). A settled message is stripped once and keeps its object.
import type { ModelCapabilities, ModelMessage } from './ports.ts';

const stripped = new WeakMap<ModelMessage, ModelMessage>();

/** The messages as this model may be sent them; the same array when nothing is to be taken out. */
export function forModel(messages: ModelMessage[], capabilities: ModelCapabilities): ModelMessage[] {
  return capabilities.reasoningHistory === false ? messages.map(withoutReasoning) : messages;
}

function withoutReasoning(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant' || !message.parts.some((part) => part.type === 'reasoning')) return message;
  const known = stripped.get(message);
  if (known) return known;
  const plain = { ...message, parts: message.parts.filter((part) => part.type !== 'reasoning') };
  stripped.set(message, plain);
  return plain;
}
