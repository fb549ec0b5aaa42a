// What the guide did so far in this turn, read from the request alone: the guide keeps no state of its own.
import type { ToolDeclaration } from '../../contract/authority.ts';
import type { ModelMessage, ModelRequest } from '../../engine/ports.ts';
import { isObject } from '../wire-traits.ts';

/** One call of this turn and its answer. */
export interface DoneCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly content: string;
  readonly failed: boolean;
}

/** A call to be made; `args` go out as JSON. */
export interface PlannedCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** What to say now and which calls to make; no calls = the turn is done. Text is Markdown. */
export interface Step {
  readonly say: string;
  readonly calls: readonly PlannedCall[];
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function callsAfter(messages: readonly ModelMessage[], start: number): DoneCall[] {
  const open = new Map<string, { name: string; args: Record<string, unknown> }>();
  const done: DoneCall[] = [];
  for (const message of messages.slice(start)) {
    if (message.role === 'assistant') {
      for (const part of message.parts) {
        if (part.type === 'tool-call')
          open.set(part.callId, { name: part.name, args: parseObject(part.argumentsText) });
      }
    } else if (message.role === 'tool') {
      const call = open.get(message.callId);
      if (call !== undefined) done.push({ ...call, content: message.content, failed: message.failed });
    }
  }
  return done;
}

/** The turn as the request shows it. */
export class Work {
  /** The person's words, without attachments. */
  readonly message: string;
  readonly done: readonly DoneCall[];
  readonly #tools: ReadonlyMap<string, ToolDeclaration>;

  constructor(request: ModelRequest) {
    const last = request.messages.findLastIndex((message) => message.role === 'user');
    const message = request.messages[last];
    this.message = message?.role === 'user' ? (message.text.split('\n\n<attachment ')[0] ?? '') : '';
    this.done = last < 0 ? [] : callsAfter(request.messages, last + 1);
    this.#tools = new Map(request.tools.map((tool) => [tool.name, tool]));
  }

  /** The declaration of an offered tool, undefined when it is not offered. */
  tool(name: string): ToolDeclaration | undefined {
    return this.#tools.get(name);
  }

  /** The calls of one tool, in order. */
  of(name: string): DoneCall[] {
    return this.done.filter((call) => call.name === name);
  }

  /** Whether a tool declares a parameter. */
  takes(name: string, parameter: string): boolean {
    const properties = this.tool(name)?.parameters['properties'];
    return isObject(properties) && parameter in properties;
  }
}

/** A step that ends the turn. */
export function say(text: string): Step {
  return { say: text, calls: [] };
}
