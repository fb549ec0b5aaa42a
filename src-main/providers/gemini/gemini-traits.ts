// Google's Gemini wire: what its stream events look like, and what is sent back. Calls carry thought signatures, which
// ride in the call's metadata.
import { isObject, onlyObject, type DeltaText, type EventObject, type WireTraits } from '../wire-traits.ts';

function readDelta(event: EventObject): DeltaText | null {
  const candidate = onlyObject(event['candidates']);
  const content = candidate?.['content'];
  if (candidate === null || candidate['finishReason'] != null || !isObject(content)) return null;
  if (event['promptFeedback'] != null || candidate['groundingMetadata'] != null) return null;
  const part = onlyObject(content['parts']);
  if (part === null || typeof part['text'] !== 'string' || part['text'] === '') return null;
  if (part['thoughtSignature'] != null || part['functionCall'] != null) return null;
  return { key: part['thought'] === true ? 'thought' : 'text', holder: part, field: 'text' };
}

/** The traits for a model by its name. */
export function geminiTraits(name: string): WireTraits {
  const thinks = /gemini-(?:2\.5|[3-9])/.test(name);
  return {
    wire: 'gemini',
    readDelta,
    looksOwn: (data) => /"candidates"|"parts"/.test(data),
    isKeepAlive: () => false,
    argumentsAs: 'object',
    replaysReasoning: (metadata) => {
      const google = metadata?.['google'];
      return isObject(google) && typeof google['thoughtSignature'] === 'string';
    },
    callOptions: thinks ? { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } } : {},
  };
}
