// Words for a model that no list offers now, from its reference alone (`wire:name` or `wire:name@address`). Pure.

export interface ModelWords {
  /** As its service knows it. */
  readonly name: string;
  /** Host of its address, or whose service it is. */
  readonly where: string;
}

const SERVICES: Readonly<Record<string, string>> = {
  'openai-compatible': 'its usual address',
  'openai-responses': 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Google',
};

/** See the file's header. What is no reference stays as it is. */
export function modelWords(ref: string): ModelWords {
  if (ref === 'guide') return { name: 'Guide', where: 'built in' };
  const [, wire = '', rest = ''] = /^([a-z-]+):(.+)$/s.exec(ref) ?? [];
  const service = SERVICES[wire];
  if (service === undefined) return { name: ref, where: 'not known' };
  const at = rest.lastIndexOf('@http');
  const address = at > 0 ? rest.slice(at + 1) : '';
  if (!URL.canParse(address)) return { name: rest, where: service };
  return { name: rest.slice(0, at), where: new URL(address).host };
}
