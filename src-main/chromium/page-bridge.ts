// Carries messages between the host and a page's isolated world, where the preload runs, and injects both worlds' scripts.
// One batch is in flight at a time: order is kept, and what arrives meanwhile goes into the next batch.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CdpSession } from './cdp.ts';
import { ignoreWhenGone } from './cdp.ts';

/** What the isolated world sends. `id` is answered by `reply`. */
export type PageMessage =
  | { t: 'invoke'; id: number; channel: string; args: unknown[] }
  | { t: 'send'; channel: string; args: unknown[] }
  | { t: 'file'; id: number; key: number }
  | { t: 'state'; dark: boolean; focused: boolean; hidden: boolean };

/** What a bridge is made of. */
export interface PageBridgeOptions {
  session: CdpSession;
  /** The page's top frame; messages of other frames are not heard. */
  frameId: string;
  /** Path of the preload bundle (CommonJS), or undefined for none. */
  preload: string | undefined;
  /** Must not throw. `origin` is that of the document that sent it, as the browser knows it. */
  onMessage: (message: PageMessage, origin: string) => void;
}

const WORLD = 'warrant-preload';
const BATCH_MESSAGES = 2_000;

/** The bridge of one page, through all its loads. */
export class PageBridge {
  readonly #options: PageBridgeOptions;
  readonly #queue: unknown[] = [];
  #context: { id: number; uniqueId: string; origin: string } | undefined;
  #inFlight = false;

  constructor(options: PageBridgeOptions) {
    this.#options = options;
  }

  /** Installs the bridge for every document that loads from now on. */
  async install(): Promise<void> {
    const { session, frameId, onMessage } = this.#options;
    session.onEvent('Runtime.executionContextCreated', ({ context }) => {
      const { frameId: owner } = context.auxData as { frameId?: string };
      if (context.name !== WORLD || owner !== frameId) return;
      this.#context = { id: context.id, uniqueId: context.uniqueId, origin: context.origin };
      this.#flush();
    });
    session.onEvent('Runtime.executionContextDestroyed', ({ executionContextUniqueId }) => {
      if (executionContextUniqueId === this.#context?.uniqueId) this.#context = undefined;
    });
    session.onEvent('Runtime.executionContextsCleared', () => {
      this.#context = undefined;
    });
    session.onEvent('Runtime.bindingCalled', ({ executionContextId, payload }) => {
      if (executionContextId !== this.#context?.id) return;
      // Only the injected script holds the binding, so the shape is its own.
      onMessage(JSON.parse(payload) as PageMessage, this.#context.origin);
    });
    const [page, isolated] = worldScripts(this.#options.preload);
    await Promise.all([
      session.send('Page.enable'),
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: '__host', executionContextName: WORLD }),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: page }),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: isolated, worldName: WORLD }),
    ]);
  }

  /** Queues a message on a channel that the preload listens to. */
  push(channel: string, args: unknown[]): void {
    this.#enqueue({ t: 'push', channel, args });
  }

  /** Answers an `invoke` or `file` message: with a JSON value, or with an error's text. */
  reply(id: number, answer: { value: unknown } | { error: string }): void {
    this.#enqueue({ t: 'reply', id, ...answer });
  }

  /** Path of a file that the page handed to the preload; '' where it is none of the disk's. */
  async filePath(key: number): Promise<string> {
    const file = await this.#call('(key) => __file(key)', [key], false);
    if (!file?.objectId) return '';
    const { path: filePath } = await this.#options.session.send('DOM.getFileInfo', { objectId: file.objectId });
    this.#options.session.sendQuietly('Runtime.releaseObject', { objectId: file.objectId });
    return filePath;
  }

  /** Calls a function's source in the isolated world and gives its JSON value; undefined while no document is there. */
  async evaluate(functionSource: string, args: unknown[]): Promise<unknown> {
    return (await this.#call(functionSource, args, true))?.value as unknown;
  }

  async #call(functionDeclaration: string, args: unknown[], returnByValue: boolean) {
    if (!this.#context) return undefined;
    const { result } = await this.#options.session.send('Runtime.callFunctionOn', {
      executionContextId: this.#context.id,
      functionDeclaration,
      arguments: args.map((value) => ({ value })),
      returnByValue,
      awaitPromise: true,
      userGesture: true,
    });
    return result;
  }

  #enqueue(message: unknown): void {
    this.#queue.push(message);
    if (this.#queue.length === 1) {
      queueMicrotask(() => {
        this.#flush();
      });
    }
  }

  #flush(): void {
    if (this.#inFlight || !this.#context || this.#queue.length === 0) return;
    const batch = this.#queue.splice(0, BATCH_MESSAGES);
    this.#inFlight = true;
    this.#options.session
      .send('Runtime.callFunctionOn', {
        executionContextId: this.#context.id,
        functionDeclaration: '(json) => __deliver(json)',
        arguments: [{ value: JSON.stringify(batch) }],
        returnByValue: true,
        silent: true,
      })
      .catch(ignoreWhenGone)
      .finally(() => {
        this.#inFlight = false;
        this.#flush();
      });
  }
}

/** The scripts of the page's world and of the isolated world, with a fresh secret between them. */
function worldScripts(preload: string | undefined): [page: string, isolated: string] {
  const read = (name: string): string => readFileSync(path.join(import.meta.dirname, name), 'utf8');
  const secret = JSON.stringify(randomBytes(16).toString('hex'));
  const preloadCode = preload ? `${readFileSync(preload, 'utf8')}\n` : '';
  // Replaced by functions, so that a `$&` in a bundle has no meaning.
  return [
    read('page-world.js').replace('__SECRET__', () => secret),
    read('preload-world.js')
      .replace('(__SECRET__)', () => `(${secret})`)
      .replace('__PLATFORM__', () => JSON.stringify(process.platform))
      .replace('__PRELOAD__', () => preloadCode),
  ];
}
