// Passes a command's output on to the window while it runs, at most 20 times a second and 16 KiB at a time: telemetry,
// what is too much is left out here and kept elsewhere.
import { StringDecoder } from 'node:string_decoder';

const INTERVAL_MS = 50;
const MAX_CHARACTERS = 16 * 1024;

export class LiveOutput {
  readonly #tell: (text: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #timer: NodeJS.Timeout | null = null;

  /** `tell` must not throw. */
  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  push(chunk: Buffer): void {
    this.#text = (this.#text + this.#decoder.write(chunk)).slice(-MAX_CHARACTERS);
    this.#timer ??= setTimeout(() => this.#flush(), INTERVAL_MS);
  }

  /** Tells the rest and stops. */
  end(): void {
    if (this.#timer !== null) this.#flush();
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#tell(text);
  }
}
