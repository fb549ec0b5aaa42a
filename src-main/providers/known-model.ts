// What is known of a model without asking its service: its context window and what its tokens cost. Costs are told apart:
// a number, nothing (a server on this machine), or unknown. Prices are those of the day of the call.
// Library: @pydantic/genai-prices, kept by its makers for most services, windows included; loaded for hosted models only.
import type { Usage } from '../contract/entries.ts';
import type { ModelRef } from './parse-model-ref.ts';

export interface KnownModel {
  /** Tokens; null = not known. */
  readonly contextWindow: number | null;
  /** US dollars of one answer's usage; 0 = it costs nothing, null = not known. */
  readonly price: (usage: Omit<Usage, 'costUsd'>) => number | null;
}

const UNKNOWN: KnownModel = { contextWindow: null, price: () => null };
const FREE: KnownModel = { contextWindow: null, price: () => 0 };

/** The services that a wire reaches where a reference names no address. */
const OWN_SERVICES: Partial<Record<ModelRef['wire'], string>> = {
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
};

/** Whether the address is one of this machine: nobody is paid for what it answers. */
function isOfThisMachine(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Looks a model up; `baseUrl` null = its wire's own service. Never rejects: what is not found is unknown. */
export async function findKnownModel(model: ModelRef, baseUrl: string | null): Promise<KnownModel> {
  if (model.wire === 'guide' || (baseUrl !== null && isOfThisMachine(baseUrl))) return FREE;
  const providerId = OWN_SERVICES[model.wire];
  if (baseUrl === null && providerId === undefined) return UNKNOWN;
  const service = baseUrl === null ? { providerId: providerId ?? '' } : { providerApiUrl: baseUrl };
  try {
    const { calcPrice } = await import('@pydantic/genai-prices');
    const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, model.name, service);
    if (found === null) return UNKNOWN;
    return {
      contextWindow: found.model.context_window ?? null,
      price: ({ input, output, cachedInput }) =>
        priceOf(() => calcPrice(toCounts(input, output, cachedInput), model.name, service)),
    };
  } catch {
    return UNKNOWN;
  }
}

/** Counts as the library takes them: all of the input, the cached part of it, and the output with its reasoning. */
function toCounts(input: number, output: number, cachedInput: number): Record<string, number> {
  return { input_tokens: input, cache_read_tokens: Math.min(cachedInput, input), output_tokens: output };
}

function priceOf(calculate: () => { total_price: number } | null): number | null {
  try {
    return calculate()?.total_price ?? null;
  } catch {
    // Counts that cannot be (a service's own arithmetic) have no price.
    return null;
  }
}
