// Looks for model servers on this machine: Ollama, LM Studio, llama.cpp, vLLM at their usual ports of 127.0.0.1.
// Answers of other programs at those ports are not taken for models. Sends nothing but GET requests without a key.
import { z } from 'zod';
import type { ModelInfo } from '../contract/models.ts';
import type { Fetch } from './model-options.ts';
import { readText } from './transport/read-text.ts';

const PROBE_MS = 400;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_MODELS = 200;

const listSchema = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1).max(200),
      max_model_len: z.number().nullish().catch(null),
      context_length: z.number().nullish().catch(null),
      max_context_length: z.number().nullish().catch(null),
      loaded_context_length: z.number().nullish().catch(null),
      type: z.string().nullish().catch(null),
      meta: z.object({ n_ctx: z.number().nullish(), n_ctx_train: z.number().nullish() }).nullish().catch(null),
    }),
  ),
});
type Listed = z.infer<typeof listSchema>['data'][number];

const tagsSchema = z.object({
  models: z.array(
    z.object({ name: z.string().min(1).max(200), capabilities: z.array(z.string()).nullish().catch(null) }),
  ),
});

interface Server {
  readonly origin: string;
  readonly port: number;
  /** A list that tells more than /v1/models, asked first. */
  readonly ownList?: string;
}

const SERVERS: readonly Server[] = [
  { origin: 'Ollama', port: 11434, ownList: '/api/tags' },
  { origin: 'LM Studio', port: 1234, ownList: '/api/v0/models' },
  { origin: 'llama.cpp', port: 8080 },
  { origin: 'vLLM', port: 8000 },
];

/** A server's answer as JSON; null for everything that is none in time. */
async function ask(fetch: Fetch, url: string, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } });
    const text = await readText(response, MAX_BYTES);
    return response.ok ? (JSON.parse(text) as unknown) : null;
  } catch {
    // Nothing there, too slow, or another program: all the same to someone who looks for models.
    return null;
  }
}

function windowOf(model: Listed): number | null {
  return (
    model.loaded_context_length ??
    model.max_model_len ??
    model.meta?.n_ctx ??
    model.context_length ??
    model.max_context_length ??
    null
  );
}

function toInfo(server: Server, name: string, facts: Pick<ModelInfo, 'contextWindow' | 'tools'>): ModelInfo {
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  const origin = `${server.origin} on this machine`;
  return {
    ref: `openai-compatible:${name}@${baseUrl}`,
    wire: 'openai-compatible',
    name,
    origin,
    local: true,
    ...facts,
  };
}

/** Models that answer questions: embedding models are left out where the server or the name tells. */
function isChat(name: string, type: string | null | undefined): boolean {
  return type !== 'embeddings' && type !== 'embedding' && !/embed|rerank/i.test(name);
}

function fromList(server: Server, value: unknown): ModelInfo[] {
  const list = listSchema.safeParse(value);
  if (!list.success) return [];
  return list.data.data
    .filter((model) => isChat(model.id, model.type))
    .map((model) => toInfo(server, model.id, { contextWindow: windowOf(model), tools: null }));
}

function fromTags(server: Server, value: unknown): ModelInfo[] {
  const tags = tagsSchema.safeParse(value);
  if (!tags.success) return [];
  return tags.data.models
    .filter((model) => isChat(model.name, null))
    .map(({ name, capabilities }) => {
      const tools = capabilities == null ? null : capabilities.includes('tools');
      return toInfo(server, name, { contextWindow: null, tools });
    });
}

async function probe(fetch: Fetch, server: Server, signal: AbortSignal): Promise<ModelInfo[]> {
  const base = `http://127.0.0.1:${server.port}`;
  const both = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
  const [own, list] = await Promise.all([
    server.ownList === undefined ? null : ask(fetch, base + server.ownList, both),
    ask(fetch, `${base}/v1/models`, both),
  ]);
  const told = [...fromTags(server, own), ...fromList(server, own)];
  const models = told.length > 0 ? told : fromList(server, list);
  return models.slice(0, MAX_MODELS);
}

/**
 * The models that servers on this machine offer, servers in a fixed order; empty when there are none. Takes 400 ms at
 * most, asks all servers at once, and never rejects.
 */
export async function discoverLocalModels(fetch: Fetch, signal: AbortSignal): Promise<ModelInfo[]> {
  const found = await Promise.all(SERVERS.map((server) => probe(fetch, server, signal)));
  return found.flat();
}
