// OpenAI chat completions as many servers speak them (OpenRouter, Ollama, LM Studio, llama.cpp, vLLM): what its stream
// events look like, and the repair of call ids that a server used twice.
import { markRepeated } from '../repeated-ids.ts';
import { isObject, onlyObject, type DeltaText, type EventObject, type WireTraits } from '../wire-traits.ts';

const TEXT_FIELDS = new Set(['content', 'reasoning_content', 'reasoning']);

/** The only member of a delta that says something, null when it says none or several. */
function onlyMember(delta: EventObject): string | null {
  let found: string | null = null;
  for (const [key, value] of Object.entries(delta)) {
    if (key === 'role' || value == null || value === '') continue;
    if (found !== null) return null;
    found = key;
  }
  return found;
}

function readCallDelta(calls: unknown): DeltaText | null {
  const call = onlyObject(calls);
  const called = call?.['function'];
  if (call === null || !isObject(called) || call['id'] != null || called['name'] != null) return null;
  if (typeof called['arguments'] !== 'string' || called['arguments'] === '') return null;
  return { key: `call ${String(call['index'])}`, holder: called, field: 'arguments' };
}

function readDelta(event: EventObject): DeltaText | null {
  const choice = onlyObject(event['choices']);
  const delta = choice?.['delta'];
  if (choice === null || !isObject(delta) || choice['finish_reason'] != null || event['usage'] != null) return null;
  if (event['error'] != null) return null;
  const member = onlyMember(delta);
  if (member === 'tool_calls') return readCallDelta(delta['tool_calls']);
  if (member === null || !TEXT_FIELDS.has(member) || typeof delta[member] !== 'string') return null;
  return { key: member, holder: delta, field: member };
}

/** The only choice of an event whose delta says nothing; null for every other event. */
function emptyChoice(event: EventObject): EventObject | null {
  const choice = onlyObject(event['choices']);
  const delta = choice?.['delta'];
  if (choice === null || event['error'] != null || !isObject(delta)) return null;
  return Object.entries(delta).every(([key, value]) => key === 'role' || value == null || value === '') ? choice : null;
}

function isOpening(event: EventObject): boolean {
  const choice = emptyChoice(event);
  const delta = choice?.['delta'];
  if (choice === null || !isObject(delta) || !('role' in delta)) return false;
  return choice['finish_reason'] == null && event['usage'] == null;
}

/** Appends calls, or pieces of their arguments, to what an event says; whoever reads it takes text first, then calls. */
function takeCalls(before: EventObject, next: EventObject): boolean {
  const [choice, nextChoice] = [onlyObject(before['choices']), onlyObject(next['choices'])];
  if (choice === null || nextChoice === null || choice['index'] !== nextChoice['index']) return false;
  const [delta, nextDelta] = [choice['delta'], nextChoice['delta']];
  if (!isObject(delta) || !isObject(nextDelta) || onlyMember(nextDelta) !== 'tool_calls') return false;
  const said = [choice['finish_reason'], nextChoice['finish_reason'], before['usage'], next['usage']];
  if (said.some((each) => each != null) || before['error'] != null || next['error'] != null) return false;
  const [calls, nextCalls] = [delta['tool_calls'] ?? [], nextDelta['tool_calls']];
  if (!Array.isArray(calls) || !Array.isArray(nextCalls)) return false;
  delta['tool_calls'] = [...(calls as unknown[]), ...(nextCalls as unknown[])];
  return true;
}

function takeEnd(before: EventObject, next: EventObject): boolean {
  const choice = onlyObject(before['choices']);
  if (choice === null || before['usage'] != null || before['error'] != null || next['error'] != null) return false;
  if (emptyChoice(before) !== null && choice['finish_reason'] == null) return false;
  const nextChoices = next['choices'];
  const end = emptyChoice(next);
  if (end !== null) {
    if (end['finish_reason'] == null || choice['finish_reason'] != null || end['index'] !== choice['index'])
      return false;
    choice['finish_reason'] = end['finish_reason'];
  } else if (!Array.isArray(nextChoices) || nextChoices.length > 0 || !isObject(next['usage'])) {
    return false;
  }
  if (next['usage'] != null) before['usage'] = next['usage'];
  return true;
}

function isComplete(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/** A call as one stream told it so far. */
interface ToldCall {
  readonly id: string;
  readonly sentAs: string;
  readonly index: unknown;
  arguments: string;
}

/**
 * Marks the second use of a call id, so that two calls stay two: at another index, or at the same one after the first
 * call's arguments are complete.
 */
class IdRepair {
  readonly #calls: ToldCall[] = [];

  repair(call: EventObject): boolean {
    const id = call['id'];
    const called = call['function'];
    if (!isObject(called)) return false;
    const text = typeof called['arguments'] === 'string' ? called['arguments'] : '';
    if (typeof id !== 'string' || id === '') {
      const current = this.#calls.findLast((told) => told.index === call['index']);
      if (current !== undefined) current.arguments += text;
      return false;
    }
    const sameId = this.#calls.filter((told) => told.id === id);
    const here = sameId.findLast((told) => told.index === call['index']);
    const starts = typeof called['name'] === 'string' && called['name'] !== '';
    const again = starts && here !== undefined && isComplete(here.arguments) && /^\s*\{/.test(text);
    if (here !== undefined && !again) {
      here.arguments += text;
      call['id'] = here.sentAs;
      return here.sentAs !== id;
    }
    if (!starts && sameId.length > 0) return false;
    const sentAs = sameId.length === 0 ? id : markRepeated(id, sameId.length);
    this.#calls.push({ id, sentAs, index: call['index'], arguments: text });
    call['id'] = sentAs;
    return sentAs !== id;
  }
}

function createRepair(): (event: EventObject) => boolean {
  const ids = new IdRepair();
  return (event) => {
    const choice = Array.isArray(event['choices']) ? (event['choices'][0] as unknown) : null;
    const delta = isObject(choice) ? choice['delta'] : null;
    const calls = isObject(delta) ? delta['tool_calls'] : null;
    if (!Array.isArray(calls)) return false;
    let changed = false;
    for (const call of calls as unknown[]) if (isObject(call)) changed = ids.repair(call) || changed;
    return changed;
  };
}

/** Models whose services demand their reasoning back with the calls that it led to; others refuse or ignore it. */
const WANTS_REASONING = /deepseek|kimi|minimax|mimo/i;

/** The traits for a model by its name. */
export function chatTraits(name: string): WireTraits {
  return {
    wire: 'openai-compatible',
    readDelta,
    looksOwn: (data) => /"choices"|"delta"/.test(data),
    isKeepAlive: (event) => event['type'] === 'ping',
    createRepair,
    isOpening,
    takeNext: (before, next) => takeCalls(before, next) || takeEnd(before, next),
    argumentsAs: 'text',
    replaysReasoning: (_metadata, hasCalls) => hasCalls && WANTS_REASONING.test(name),
    callOptions: {},
  };
}
