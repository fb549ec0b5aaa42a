// The web streams that the SDK packages use, as short chains of promises: Node's own cost a start their loading, and a
// round many times the work that is done in them. The build puts these classes in place of the globals for those
// packages. Invariant: nothing is read ahead (what is asked for is pulled), and what came before an error is given first.

interface Controller<T> {
  enqueue(chunk: T): void;
  close(): void;
  error(reason: unknown): void;
}

interface Source<T> {
  start?(controller: Controller<T>): unknown;
  pull?(controller: Controller<T>): unknown;
  cancel?(reason: unknown): unknown;
}

interface Waiter<T> {
  resolve(result: LightRead<T>): void;
  reject(reason: unknown): void;
}

/** What one read gives; `value` is undefined once `done`. */
export type LightRead<T> = { done: false; value: T } | { done: true; value: undefined };

const DONE = { done: true, value: undefined } as const;

/** What a stream can be piped through. */
interface Through<I, O> {
  from(input: LightReadableStream<I>): LightReadableStream<O>;
}

/** One event of a service's answer: the text of its data, all that the SDK reads of it. */
export interface StreamEvent {
  readonly data: string;
}

/** A stream that calls its source only for reads that wait. */
export class LightReadableStream<T = unknown> {
  readonly #source: Source<T>;
  readonly #queue: T[] = [];
  readonly #waiters: Waiter<T>[] = [];
  #state: 'open' | 'closed' | 'failed' = 'open';
  #reason: unknown;
  #pulling = false;
  readonly #controller: Controller<T> = {
    enqueue: (chunk) => this.#enqueue(chunk),
    close: () => this.#close(),
    error: (reason) => this.#fail(reason),
  };

  constructor(source: Source<T> = {}, _strategy?: unknown) {
    this.#source = source;
    source.start?.(this.#controller);
  }

  /** A reader; the stream does not watch that there is only one. */
  getReader(): LightReader<T> {
    return new LightReader(this);
  }

  /** The next chunk; rejects with the stream's error. */
  read(): Promise<LightRead<T>> {
    if (this.#queue.length > 0) return Promise.resolve({ done: false, value: this.#queue.shift() as T });
    if (this.#state === 'closed') return Promise.resolve(DONE);
    // The reason is the source's own.
    if (this.#state === 'failed') return Promise.reject(this.#reason);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      if (!this.#pulling) void this.#pull();
    });
  }

  /** Takes the chunks that are here: the next reads would give them at once. */
  takeReady(): T[] {
    return this.#queue.splice(0);
  }

  /** Drops what was not read and ends the source; reads that wait end as at the end of the stream. */
  async cancel(reason?: unknown): Promise<void> {
    if (this.#state !== 'open') return;
    this.#queue.length = 0;
    this.#close();
    await this.#source.cancel?.(reason);
  }

  /** Gives what `transform` makes of this stream. */
  pipeThrough<O>(transform: Through<T, O>): LightReadableStream<O> {
    return transform.from(this);
  }

  /** Two streams of the same chunks; the source is cancelled once both are. */
  tee(): [LightReadableStream<T>, LightReadableStream<T>] {
    const open = new Set<Controller<T>>();
    const branch = (): LightReadableStream<T> => {
      let own: Controller<T>;
      return new LightReadableStream<T>({
        start: (controller) => {
          own = controller;
          open.add(controller);
        },
        pull: async () => {
          const next = await this.read();
          for (const controller of open) {
            if (next.done) controller.close();
            else controller.enqueue(next.value);
          }
        },
        cancel: async (reason) => {
          open.delete(own);
          if (open.size === 0) await this.cancel(reason);
        },
      });
    };
    return [branch(), branch()];
  }

  /** Reads to the end; leaving early cancels. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (let next = await this.read(); !next.done; next = await this.read()) yield next.value;
    } finally {
      await this.cancel();
    }
  }

  async #pull(): Promise<void> {
    if (this.#source.pull === undefined) return;
    this.#pulling = true;
    try {
      while (this.#waiters.length > 0 && this.#state === 'open') await this.#source.pull(this.#controller);
    } catch (error) {
      this.#fail(error);
    }
    this.#pulling = false;
  }

  #enqueue(chunk: T): void {
    if (this.#state !== 'open') return;
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#queue.push(chunk);
    else waiter.resolve({ done: false, value: chunk });
  }

  #close(): void {
    if (this.#state !== 'open') return;
    this.#state = 'closed';
    for (const waiter of this.#waiters.splice(0)) waiter.resolve(DONE);
  }

  #fail(reason: unknown): void {
    if (this.#state !== 'open') return;
    this.#state = 'failed';
    this.#reason = reason;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(reason);
  }
}

/** Reads a stream; see LightReadableStream. */
export class LightReader<T> {
  readonly #stream: LightReadableStream<T>;

  constructor(stream: LightReadableStream<T>) {
    this.#stream = stream;
  }

  read(): Promise<LightRead<T>> {
    return this.#stream.read();
  }

  /** See LightReadableStream. */
  takeReady(): T[] {
    return this.#stream.takeReady();
  }

  cancel(reason?: unknown): Promise<void> {
    return this.#stream.cancel(reason);
  }

  /** Nothing: another reader may be taken at any time. */
  releaseLock(): void {
    // A reader holds nothing.
  }
}

interface TransformController<O> {
  enqueue(chunk: O): void;
  error(reason: unknown): void;
  terminate(): void;
}

interface Transformer<I, O> {
  start?(controller: TransformController<O>): unknown;
  transform?(chunk: I, controller: TransformController<O>): unknown;
  flush?(controller: TransformController<O>): unknown;
}

/** Makes other chunks of a stream's chunks; use it with `pipeThrough`. */
export class LightTransformStream<I = unknown, O = unknown> {
  readonly #transformer: Transformer<I, O>;
  readonly #readable: LightReadableStream<O>;
  #controller: TransformController<O> | null = null;
  #input: LightReadableStream<I> | null = null;

  constructor(transformer: Transformer<I, O> = {}) {
    this.#transformer = transformer;
    this.#readable = new LightReadableStream<O>({
      start: (controller) => this.#start(controller),
      pull: (controller) => this.#pull(controller),
      cancel: (reason) => this.#input?.cancel(reason),
    });
  }

  /** What becomes of `input`. Called once. */
  from(input: LightReadableStream<I>): LightReadableStream<O> {
    this.#input = input;
    return this.#readable;
  }

  #start(controller: Controller<O>): void {
    const end = (leave: () => void) => (reason?: unknown) => {
      leave();
      void this.#input?.cancel(reason).catch(() => undefined);
    };
    this.#controller = {
      enqueue: (chunk) => controller.enqueue(chunk),
      error: (reason) => end(() => controller.error(reason))(reason),
      terminate: end(() => controller.close()),
    };
    this.#transformer.start?.(this.#controller);
  }

  async #pull(output: Controller<O>): Promise<void> {
    const controller = this.#controller;
    const input = this.#input;
    if (controller === null || input === null) return;
    const next = await input.read();
    if (next.done) {
      await this.#transformer.flush?.(controller);
      output.close();
      return;
    }
    try {
      // Waiting for what is no promise would cost each chunk a turn of the loop.
      const work = this.#transformer.transform?.(next.value, controller);
      if (work instanceof Promise) await work;
    } catch (error) {
      controller.error(error);
    }
  }
}

let events = false;

/** Called by what the build puts into the SDK's packages: from then on they take events. */
export function takeEvents(): void {
  events = true;
}

/** Whether the SDK's packages take events; where sources run as they are, they decode and parse bytes by themselves. */
export function takesEvents(): boolean {
  return events;
}

/** Stands where the SDK decodes bytes: it gets events (see normalise-events.ts), which pass as they are. */
export class LightTextDecoderStream implements Through<StreamEvent, StreamEvent> {
  from(input: LightReadableStream<StreamEvent>): LightReadableStream<StreamEvent> {
    return input;
  }
}

/** Stands where the SDK parses server-sent events, likewise. Its name is the one of the class that it replaces. */
export class EventSourceParserStream extends LightTextDecoderStream {}
