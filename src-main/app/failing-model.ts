// Stands in for a model that cannot be built (no key, a wrong reference): the chat opens all the same, and each try to use
// it says why it cannot.
import { toWireError } from '../base/app-error.ts';
import type { Model } from '../engine/ports.ts';

/** A model whose every stream is this one error. */
export function failingModel(ref: string, cause: unknown): Model {
  const error = { ...toWireError(cause), retryable: false };
  return {
    ref,
    capabilities: { tools: null, systemPrompt: null, reasoningHistory: null, images: null, contextWindow: null },
    async *stream() {
      yield await Promise.resolve({ type: 'error', error, retryAfterMs: null } as const);
    },
  };
}
