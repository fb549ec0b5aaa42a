// A model service in OpenAI's chat form that says what a test tells it to: calls of tools, then words.
import { pieces, startStreamServer, type Answer, type StreamServer } from './stream-server.ts';

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** An answer that proposes these calls, in order. */
export function proposes(...calls: readonly (readonly [name: string, args: unknown])[]): Answer {
  const toolCalls = calls.map(([name, args], index) => ({
    index,
    id: `call_${String(index)}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return pieces(
    event({ choices: [{ index: 0, delta: { tool_calls: toolCalls } }] }),
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
    'data: [DONE]\n\n',
  );
}

/** An answer in words. */
export function says(words: string): Answer {
  return pieces(
    event({ choices: [{ index: 0, delta: { content: words } }] }),
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    'data: [DONE]\n\n',
  );
}

export interface ChatServer extends StreamServer {
  /** The reference of its model. */
  readonly model: string;
}

/** Gives the answers in order; the last one again and again. */
export async function startChatServer(...answers: readonly Answer[]): Promise<ChatServer> {
  const server = await startStreamServer();
  server.answer = (response, request) => {
    const answer = answers[Math.min(server.seen.length, answers.length) - 1];
    return answer?.(response, request);
  };
  return Object.assign(server, { model: `openai-compatible:m@${server.url}` });
}
