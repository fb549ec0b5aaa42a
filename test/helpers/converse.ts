// A conversation at the Model port without an engine: asks, answers every call, tries again what may be tried again.
import type { ToolDeclaration } from '../../src-main/contract/authority.ts';
import type { AssistantPart } from '../../src-main/contract/entries.ts';
import type { CallId } from '../../src-main/contract/ids.ts';
import { newId } from '../../src-main/base/new-id.ts';
import type { Model, ModelEvent, ModelMessage } from '../../src-main/engine/ports.ts';

const object = (properties: Record<string, unknown>): Record<string, unknown> => ({ type: 'object', properties });
const text = { type: 'string' };
const tool = (name: string, properties: Record<string, unknown>): ToolDeclaration => ({
  name,
  description: name,
  parameters: object(properties),
  class: 'read',
  cancellation: 'interrupt',
  builtin: true,
});

export const rigTools = [
  tool('read_file', { path: text }),
  tool('write_file', { path: text, content: text }),
  tool('shell', { command: text }),
];

/** All events of one stream. */
export async function collect(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** The text of events. */
export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

function partsOf(events: readonly ModelEvent[]): AssistantPart[] {
  const parts: AssistantPart[] = [{ type: 'text', text: textOf(events) }];
  for (const event of events) {
    if (event.type !== 'call') continue;
    const { name, argumentsText, metadata } = event;
    parts.push({ type: 'tool-call', callId: newId<CallId>(), name, argumentsText, ...(metadata ? { metadata } : {}) });
  }
  return parts;
}

/** What a conversation came to, as one line: each round's calls and end, then the last text's length and end. */
export async function converse(model: Model, prompt: string, result = 'needle-7f3a'): Promise<string> {
  const messages: ModelMessage[] = [{ role: 'user', text: prompt }];
  const rounds: string[] = [];
  let tries = 0;
  while (rounds.length < 12) {
    const events = await collect(
      model.stream({ system: 'Be brief.', messages, tools: rigTools }, AbortSignal.timeout(20_000)),
    );
    const last = events.at(-1);
    if (last?.type === 'error') {
      const wait = last.retryAfterMs === null ? '' : ` in ${last.retryAfterMs} ms`;
      rounds.push(`${last.error.code}${wait}`);
      if (last.error.retryable && ++tries < 4) continue;
      return rounds.join(' > ');
    }
    if (last?.type !== 'finish') return [...rounds, 'no end'].join(' > ');
    const parts = partsOf(events);
    const calls = parts.filter((part) => part.type === 'tool-call');
    if (calls.length === 0) {
      const said = textOf(events);
      return [
        ...rounds,
        `${last.reason} ${said.length > 90 ? `${said.length} characters` : JSON.stringify(said)}`,
      ].join(' > ');
    }
    rounds.push(calls.map((call) => `${call.name}(${call.argumentsText})`).join(' + '));
    messages.push({ role: 'assistant', parts, model: model.ref });
    for (const { callId, name } of calls) messages.push({ role: 'tool', callId, name, content: result, failed: false });
  }
  return [...rounds, 'too many rounds'].join(' > ');
}
