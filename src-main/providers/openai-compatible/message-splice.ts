// Messages of a chat request as JSON text that is made once a message. The SDK gets a stand-in for them, and its body gets
// the real ones right before it is sent: in a long chat, most of a request's cost is writing the same messages again.
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { AppError } from '../../base/app-error.ts';

const BEFORE = '"messages":[{"role":"user","content":"';
const AFTER = '"}]';

/** Requests that the SDK gave up on leave their messages here; no more than this many are kept. */
const MAX_WAITING = 64;

/** Holds the messages of requests on their way through the SDK. */
export class MessageSplice {
  readonly #waiting = new Map<string, string>();

  /** A prompt that stands for these messages, which are the members of a JSON array as text. */
  hold(messages: string): LanguageModelV4Prompt {
    const key = crypto.randomUUID();
    this.#waiting.set(key, messages);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > MAX_WAITING && oldest !== undefined) this.#waiting.delete(oldest);
    return [{ role: 'user', content: [{ type: 'text', text: key }] }];
  }

  /** The SDK's body with the real messages in it; each stand-in is good for one body. */
  fill(body: string): string {
    const start = body.indexOf(BEFORE);
    const from = start + BEFORE.length;
    const key = body.slice(from, from + 36);
    const messages = this.#waiting.get(key);
    if (start < 0 || messages === undefined || !body.startsWith(AFTER, from + 36)) {
      throw new AppError('internal', 'A request to the model could not be put together. Nothing was sent.');
    }
    this.#waiting.delete(key);
    return `${body.slice(0, start)}"messages":[${messages}]${body.slice(from + 36 + AFTER.length)}`;
  }
}
