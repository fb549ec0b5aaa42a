// Models as the person picks them: providers from the settings, local servers that were found, and the guide. Finds the
// key of a model: stored, else from a command, else from an environment variable (AUTH-19). Keys stay in memory.
import { AppError, toWireError } from '../base/app-error.ts';
import type { KeyState, ModelInfo, ProviderSetting, Wire } from '../contract/models.ts';
import type { Settings } from '../contract/settings.ts';
import type { Model } from '../engine/ports.ts';
import { createModel } from '../providers/create-model.ts';
import { findKnownModel } from '../providers/known-model.ts';
import { parseModelRef, type ModelRef } from '../providers/parse-model-ref.ts';
import type { SecretStore } from './host.ts';
import { addressFor, providerOf } from './model-address.ts';
import type { SettingsService } from './settings-service.ts';

/** Environment variables that are looked at when a reference belongs to no provider of the settings. */
const USUAL_VARIABLES: Partial<Record<Wire, string>> = {
  'openai-compatible': 'OPENROUTER_API_KEY',
  'openai-responses': 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  gemini: 'GEMINI_API_KEY',
};

const TEST_TIMEOUT_MS = 30_000;

export const GUIDE: ModelInfo = {
  ref: 'guide',
  wire: 'guide',
  name: 'Guide',
  origin: 'built in, not a language model',
  local: true,
  contextWindow: null,
  tools: true,
};

export interface ModelsServiceOptions {
  readonly settings: SettingsService;
  readonly secrets: SecretStore;
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
  /** Resolves when what a request builds on is stored; see Store.synced. */
  readonly stored: () => Promise<void>;
}

export class ModelsService {
  readonly #options: ModelsServiceOptions;
  #found: ModelInfo[] = [];

  constructor(options: ModelsServiceOptions) {
    this.#options = options;
  }

  /** All that can be picked: settings first, then local ones, the guide last. */
  list(): ModelInfo[] {
    const { providers } = this.#settings;
    const configured = providers.flatMap((provider) => provider.models.map((name) => toInfo(provider, name)));
    const refs = new Set(configured.map((model) => model.ref));
    return [...configured, ...this.#found.filter((model) => !refs.has(model.ref)), GUIDE];
  }

  /** Looks for local servers; never rejects. */
  async discover(): Promise<ModelInfo[]> {
    if (!this.#settings.findLocalModels) {
      this.#found = [];
      return this.list();
    }
    const { discoverLocalModels } = await import('../providers/discover-local.ts');
    this.#found = await discoverLocalModels(globalThis.fetch, AbortSignal.timeout(2_000));
    return this.list();
  }

  /** The model of new chats: the person's choice, else one found on this machine, else the guide. */
  defaultRef(): string {
    return this.#settings.defaultModel || this.list()[0]?.ref || GUIDE.ref;
  }

  /** The model for a reference, with its key. Codes config.invalid, provider.no-key, secret.unreadable. */
  async create(ref: string): Promise<Model> {
    if (ref === GUIDE.ref) return createModel(ref, { apiKey: null });
    const parsed = parseModelRef(ref);
    const listed = this.list().find((model) => model.ref === ref);
    const baseUrl = addressFor(parsed, this.#settings.providers);
    const known = await findKnownModel(parsed, baseUrl ?? parsed.baseUrl);
    return createModel(ref, {
      ...(baseUrl === null ? {} : { baseUrl }),
      apiKey: await this.#key(parsed),
      contextWindow: listed?.contextWindow ?? known.contextWindow,
      price: known.price,
      userAgent: `warrant/${this.#options.version}`,
      beforeSend: this.#options.stored,
    });
  }

  /** Sends one tiny request; gives what came back. The error is the one a chat would meet. */
  async test(ref: string): Promise<{ text: string; durationMs: number }> {
    const startedMs = Date.now();
    const model = await this.create(ref);
    let text = '';
    const request = {
      system: '',
      tools: [],
      messages: [{ role: 'user', text: 'Answer with the word: ready' }],
    } as const;
    for await (const event of model.stream(request, AbortSignal.timeout(TEST_TIMEOUT_MS))) {
      if (event.type === 'text') text += event.text;
      if (event.type === 'error')
        throw new AppError(event.error.code, event.error.message, { details: { ...event.error.details } });
    }
    return { text: text.slice(0, 500), durationMs: Date.now() - startedMs };
  }

  /** Saves a service. A stored key was given for one address: another address does not get it. */
  async saveProvider(provider: ProviderSetting): Promise<Settings> {
    const before = this.#settings.providers.find((other) => other.id === provider.id);
    const moved = before && (before.baseUrl !== provider.baseUrl || before.wire !== provider.wire);
    if (moved) await this.#options.secrets.remove(secretName(provider.id));
    const others = this.#settings.providers.filter((other) => other.id !== provider.id);
    return this.#options.settings.update({ providers: [...others, provider] });
  }

  async removeProvider(providerId: string): Promise<Settings> {
    await this.#options.secrets.remove(secretName(providerId));
    const providers = this.#settings.providers.filter((provider) => provider.id !== providerId);
    return this.#options.settings.update({ providers });
  }

  async setKey(providerId: string, key: string): Promise<KeyState> {
    await this.#options.secrets.set(secretName(providerId), key.trim());
    return this.#keyState(providerId);
  }

  async removeKey(providerId: string): Promise<KeyState> {
    await this.#options.secrets.remove(secretName(providerId));
    return this.#keyState(providerId);
  }

  async listKeys(): Promise<KeyState[]> {
    return Promise.all(this.#settings.providers.map((provider) => this.#keyState(provider.id)));
  }

  get #settings(): Settings {
    return this.#options.settings.current;
  }

  async #keyState(providerId: string): Promise<KeyState> {
    const { secrets, environment } = this.#options;
    const provider = this.#settings.providers.find((one) => one.id === providerId);
    const stored = await this.#isStored(providerId);
    if (stored) return { providerId, source: 'stored', protection: secrets.protection };
    if (provider?.keyCommand) return { providerId, source: 'command', protection: 'none' };
    const variable = provider?.keyVariable;
    if (variable && environment[variable]) return { providerId, source: 'environment', protection: 'none' };
    return { providerId, source: 'none', protection: 'none' };
  }

  async #isStored(providerId: string): Promise<boolean> {
    try {
      return (await this.#options.secrets.get(secretName(providerId))) !== null;
    } catch (error) {
      // It is there, though this program cannot read it.
      return toWireError(error).code === 'secret.unreadable';
    }
  }

  async #key(ref: ModelRef): Promise<string | null> {
    const { environment, secrets } = this.#options;
    const provider = providerOf(ref, this.#settings.providers);
    if (!provider) {
      const variable = USUAL_VARIABLES[ref.wire];
      // A usual key goes to the wire's own service only, never to an address that somebody wrote into a reference.
      return ref.baseUrl === null && variable ? (environment[variable] ?? null) : null;
    }
    const stored = await secrets.get(secretName(provider.id));
    if (stored !== null) return stored;
    if (provider.keyCommand) return (await import('./key-command.ts')).runKeyCommand(provider.keyCommand);
    return provider.keyVariable ? (environment[provider.keyVariable] ?? null) : null;
  }
}

const secretName = (providerId: string): string => `provider:${providerId}`;

function toInfo(provider: ProviderSetting, name: string): ModelInfo {
  const address = provider.baseUrl.replace(/\/+$/, '');
  return {
    ref: `${provider.wire}:${name}@${address}`,
    wire: provider.wire,
    name,
    origin: provider.label,
    local: /^https?:\/\/(localhost|127\.|\[::1\])/.test(address),
    contextWindow: null,
    tools: null,
  };
}
