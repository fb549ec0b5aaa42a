// Anthropic's Messages wire: what its stream events look like, and what is sent back. The service caches the request's
// beginning by itself when asked to, so settled messages stay the same bytes.
import { isObject, type DeltaText, type EventObject, type WireTraits } from '../wire-traits.ts';

const TEXT_FIELDS: Record<string, string> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  input_json_delta: 'partial_json',
};

function readDelta(event: EventObject): DeltaText | null {
  const delta = event['delta'];
  if (event['type'] !== 'content_block_delta' || !isObject(delta)) return null;
  const field = TEXT_FIELDS[String(delta['type'])];
  if (field === undefined || typeof delta[field] !== 'string') return null;
  return { key: `${String(event['index'])} ${field}`, holder: delta, field };
}

/** Output tokens to ask for: the wire demands a number. Old models take 4,096 at most, which is what the SDK sends. */
function maxOutputTokens(name: string): number | undefined {
  if (/claude-(?:instant|v?2(?![0-9])|3)/.test(name)) return undefined;
  return name.includes('claude') ? 32_000 : 8_192;
}

/** The traits for a model by its name. */
export function anthropicTraits(name: string): WireTraits {
  const tokens = maxOutputTokens(name);
  return {
    wire: 'anthropic',
    readDelta,
    looksOwn: (data) => /"type"\s*:\s*"(content_block_|message_)/.test(data),
    isKeepAlive: (event) => event['type'] === 'ping',
    argumentsAs: 'object',
    replaysReasoning: (metadata) => {
      const anthropic = metadata?.['anthropic'];
      if (!isObject(anthropic)) return false;
      return typeof anthropic['signature'] === 'string' || typeof anthropic['redactedData'] === 'string';
    },
    callOptions: {
      ...(tokens === undefined ? {} : { maxOutputTokens: tokens }),
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' }, toolStreaming: false } },
    },
  };
}
