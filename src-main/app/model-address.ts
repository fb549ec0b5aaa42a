// Where a model is reached when its reference names no address: the service of the settings, else the wire's usual one.
import type { ProviderSetting, Wire } from '../contract/models.ts';
import type { ModelRef } from '../providers/parse-model-ref.ts';

/** OpenAI's chat form is spoken by many; where none of them was set up, it is this one (AUTH-20). */
const USUAL_ADDRESSES: Partial<Record<Wire, string>> = { 'openai-compatible': 'https://openrouter.ai/api/v1' };

/** The service of the settings that a reference belongs to: that of its address, or the first of its wire. */
export function providerOf(ref: ModelRef, providers: readonly ProviderSetting[]): ProviderSetting | null {
  const fits = ({ wire, baseUrl }: ProviderSetting): boolean =>
    wire === ref.wire && (ref.baseUrl === null || baseUrl.replace(/\/+$/, '') === ref.baseUrl);
  return providers.find(fits) ?? null;
}

/** The address to use in the place of one that the reference does not have; null = it has one, or the wire has its own. */
export function addressFor(ref: ModelRef, providers: readonly ProviderSetting[]): string | null {
  if (ref.baseUrl !== null) return null;
  return providerOf(ref, providers)?.baseUrl ?? USUAL_ADDRESSES[ref.wire] ?? null;
}
