// Model services whose wire, address and usual variable for a key are known. Data alone, for the window and for main.

/** A service as a beginning of a setting; `keyVariable` is empty where none is wanted. */
export interface KnownService {
  readonly label: string;
  readonly wire: 'openai-compatible' | 'openai-responses' | 'anthropic' | 'gemini';
  readonly baseUrl: string;
  readonly keyVariable: string;
}

export const KNOWN_SERVICES = [
  {
    label: 'OpenRouter',
    wire: 'openai-compatible',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
  },
  { label: 'OpenAI', wire: 'openai-responses', baseUrl: 'https://api.openai.com/v1', keyVariable: 'OPENAI_API_KEY' },
  { label: 'Anthropic', wire: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', keyVariable: 'ANTHROPIC_API_KEY' },
  {
    label: 'Google',
    wire: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariable: 'GEMINI_API_KEY',
  },
  { label: 'Ollama', wire: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1', keyVariable: '' },
  {
    label: 'Another server like OpenAI',
    wire: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:8080/v1',
    keyVariable: '',
  },
] as const satisfies readonly KnownService[];
