// The guide as a Model: a deterministic planner behind the same port as every language model, so that its calls pass the
// same gate. It streams its words in small pieces, costs nothing and reaches nothing but the tools.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toWireError } from '../../base/app-error.ts';
import type { Usage } from '../../contract/entries.ts';
import type { Model, ModelEvent, ModelRequest } from '../../engine/ports.ts';
import { planStep } from './plan-step.ts';

const FREE: Usage = { input: 0, output: 0, cachedInput: 0, reasoning: 0, costUsd: 0 };
const PIECE = 24;

/** Pieces of a text that end behind white space where they can, and never inside a character. */
function* pieces(text: string): Generator<string> {
  let rest = text;
  while (rest.length > PIECE) {
    const space = rest.slice(PIECE).search(/\s/);
    let end = space < 0 || space > PIECE ? PIECE : PIECE + space + 1;
    if (/[\uD800-\uDBFF]/.test(rest.charAt(end - 1))) end += 1;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  if (rest !== '') yield rest;
}

function stopped(): ModelEvent {
  return { type: 'error', error: toWireError(new AppError('cancelled', 'Stopped.')), retryAfterMs: null };
}

async function* streamStep(request: ModelRequest, signal: AbortSignal, pauseMs: number): AsyncGenerator<ModelEvent> {
  const step = planStep(request);
  const text = step.say;
  for (const piece of pieces(text)) {
    if (signal.aborted) {
      yield stopped();
      return;
    }
    yield { type: 'text', text: piece };
    // A stop ends the pause at once; the check above then says so.
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  if (signal.aborted) {
    yield stopped();
    return;
  }
  const round = request.messages.length;
  for (const [index, call] of step.calls.entries()) {
    yield {
      type: 'call',
      providerId: `guide-${round}-${index}`,
      name: call.name,
      argumentsText: JSON.stringify(call.args),
    };
  }
  yield { type: 'finish', reason: step.calls.length > 0 ? 'tool-calls' : 'stop', usage: FREE };
}

/** The guide. `pauseMs` between two pieces of text lets a window show them growing; 0 = none. */
export function createGuide(pauseMs = 3): Model {
  return {
    ref: 'guide',
    capabilities: { tools: true, systemPrompt: true, reasoningHistory: false, images: false, contextWindow: null },
    stream: (request, signal) => streamStep(request, signal, pauseMs),
  };
}
