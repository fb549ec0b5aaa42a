// Model services whose way and address are known, as beginnings of a setting; and what is wrong with one. Pure.
import type { ProviderSetting } from '../../../src-main/contract/models.ts';

type Service = Omit<ProviderSetting, 'id'>;

function service(label: string, wire: Service['wire'], baseUrl: string, keyVariable: string): Service {
  return { label, wire, baseUrl, models: [], keyCommand: '', keyVariable };
}

export const KNOWN_SERVICES: readonly [Service, ...Service[]] = [
  service('OpenRouter', 'openai-compatible', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  service('OpenAI', 'openai-responses', 'https://api.openai.com/v1', 'OPENAI_API_KEY'),
  service('Anthropic', 'anthropic', 'https://api.anthropic.com/v1', 'ANTHROPIC_API_KEY'),
  service('Google', 'gemini', 'https://generativelanguage.googleapis.com/v1beta', 'GEMINI_API_KEY'),
  service('Ollama', 'openai-compatible', 'http://127.0.0.1:11434/v1', ''),
  service('Another server like OpenAI', 'openai-compatible', 'http://127.0.0.1:8080/v1', ''),
];

/** A sentence for each field that cannot be right. */
export type ServiceProblems = { readonly [K in 'label' | 'baseUrl' | 'models']?: string };

export function serviceProblems({ label, baseUrl, models }: ProviderSetting): ServiceProblems {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  return {
    ...(label === '' || label.length > 80 ? { label: 'Give it a name of at most 80 characters.' } : {}),
    ...(url?.protocol === 'https:' || url?.protocol === 'http:'
      ? {}
      : { baseUrl: 'This is no address. It begins with https:// or http://.' }),
    ...(models.length === 0 ? { models: 'Name at least one model.' } : {}),
    ...(models.some((name) => name.length > 200) ? { models: 'A model has at most 200 characters.' } : {}),
  };
}
