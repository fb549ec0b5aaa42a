// OpenAI's Responses wire: what its stream events look like, and what is sent back. Nothing is stored at the service, so
// reasoning goes back in its encrypted form or not at all.
import { isObject, type DeltaText, type EventObject, type WireTraits } from '../wire-traits.ts';

const DELTA_TYPES = new Set([
  'response.output_text.delta',
  'response.function_call_arguments.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
]);

function readDelta(event: EventObject): DeltaText | null {
  const type = event['type'];
  if (typeof type !== 'string' || !DELTA_TYPES.has(type) || typeof event['delta'] !== 'string') return null;
  const place = [event['item_id'], event['output_index'], event['content_index'], event['summary_index']];
  return { key: `${type} ${place.map(String).join(' ')}`, holder: event, field: 'delta' };
}

export const responsesTraits: WireTraits = {
  wire: 'openai-responses',
  readDelta,
  looksOwn: (data) => /"type"\s*:\s*"response\./.test(data),
  isKeepAlive: (event) => event['type'] === 'ping' || event['type'] === 'keepalive',
  argumentsAs: 'text',
  replaysReasoning: (metadata) => {
    const openai = metadata?.['openai'];
    return isObject(openai) && typeof openai['reasoningEncryptedContent'] === 'string';
  },
  callOptions: { providerOptions: { openai: { store: false } } },
};
