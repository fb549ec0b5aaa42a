// Chrome DevTools Protocol over --remote-debugging-pipe: JSON messages, each ended by a NUL byte, on descriptors 3 and 4.
// Knows nothing of pages or windows. Every command sent is settled: by its answer, or by the reason of the pipe's end.
import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { HostError } from './host-error.ts';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

interface WireMessage {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

interface PendingCommand {
  method: string;
  resolve(value: unknown): void;
  reject(reason: Error): void;
}

/** The pipe to one browser. `browser` is the session of the browser itself; pages get theirs by `session(id)`. */
export class CdpConnection {
  readonly browser: CdpSession;
  readonly #out: Writable;
  readonly #pending = new Map<number, PendingCommand>();
  readonly #sessions = new Map<string, CdpSession>();
  #parts: Buffer[] = [];
  #nextId = 1;
  #closedBy: Error | undefined;

  /** `out` takes commands, `input` gives answers and events; both belong to this connection from now on. */
  constructor(out: Writable, input: Readable) {
    this.#out = out;
    this.browser = new CdpSession(this, undefined);
    input.on('data', (chunk: Buffer) => {
      this.#onData(chunk);
    });
    const end = (): void => {
      this.close(new HostError('browser-failed', 'The browser closed its debugging pipe'));
    };
    input.on('close', end);
    input.on('error', end);
    out.on('error', end);
  }

  /** The session of an attached target; the same object for the same id. */
  session(id: string): CdpSession {
    const known = this.#sessions.get(id);
    if (known) return known;
    const made = new CdpSession(this, id);
    this.#sessions.set(id, made);
    return made;
  }

  /** Drops a session whose target is gone. */
  forget(id: string): void {
    this.#sessions.delete(id);
  }

  /** Sends one command; rejects with HostError `protocol` when refused, or with the reason of the pipe's end. */
  send(method: string, params: unknown, sessionId: string | undefined): Promise<unknown> {
    if (this.#closedBy) return Promise.reject(this.#closedBy);
    const id = this.#nextId++;
    this.#out.write(`${JSON.stringify(sessionId ? { id, method, params, sessionId } : { id, method, params })}\0`);
    return new Promise((resolve, reject) => this.#pending.set(id, { method, resolve, reject }));
  }

  /** Ends the connection: all waiting commands reject with `reason`, `browser` emits `closed` once. */
  close(reason: Error): void {
    if (this.#closedBy) return;
    this.#closedBy = reason;
    for (const command of this.#pending.values()) command.reject(reason);
    this.#pending.clear();
    this.browser.emit('closed', reason);
  }

  #onData(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      this.#parts.push(chunk.subarray(start, end));
      const text = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      start = end + 1;
      // The one trusted cast: the peer is the browser that this process started, on a pipe that nobody else holds.
      this.#onMessage(JSON.parse(text) as WireMessage);
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
  }

  #onMessage(message: WireMessage): void {
    if (message.id === undefined) {
      const target = message.sessionId ? this.#sessions.get(message.sessionId) : this.browser;
      if (message.method) target?.emit(message.method, message.params);
      return;
    }
    const command = this.#pending.get(message.id);
    if (!command) return;
    this.#pending.delete(message.id);
    if (message.error) command.reject(new HostError('protocol', `${command.method}: ${message.error.message}`));
    else command.resolve(message.result);
  }
}

/** Commands and events of one target, typed by the protocol. */
export class CdpSession extends EventEmitter {
  readonly id: string | undefined;
  readonly #connection: CdpConnection;

  constructor(connection: CdpConnection, id: string | undefined) {
    super();
    this.#connection = connection;
    this.id = id;
    this.setMaxListeners(0);
  }

  /** Sends a command and gives its typed answer; rejects as `CdpConnection.send` does. */
  send<M extends keyof Commands>(method: M, ...params: Commands[M]['paramsType']): Promise<Commands[M]['returnType']> {
    return this.#connection.send(method, params[0] ?? {}, this.id) as Promise<Commands[M]['returnType']>;
  }

  /** Sends a command whose failure means only that the page or browser is going away. */
  sendQuietly<M extends keyof Commands>(method: M, ...params: Commands[M]['paramsType']): void {
    this.send(method, ...params).catch(ignoreWhenGone);
  }

  /** Calls `listener` for every event of that name until the session ends. */
  onEvent<E extends keyof Events>(event: E, listener: (...values: Events[E]) => void): void {
    this.on(event, listener as (...values: unknown[]) => void);
  }
}

/** The handler of `sendQuietly`: swallows what the end of a page or browser causes; anything else is a fault of the host. */
export function ignoreWhenGone(error: unknown): void {
  if (error instanceof HostError) return;
  throw error;
}
