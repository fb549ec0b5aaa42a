// Reads the output of a shell that stays: everything up to a mark that nobody can guess is a command's output, and the mark
// carries its exit code. Holds back no more than what could be the beginning of a mark.

const MARK_END_BYTES = 16;
const LINE_END = 10;

export class MarkedOutput {
  readonly #mark: Buffer;
  readonly #emit: (bytes: Buffer) => void;
  readonly #ended: (exitCode: number) => void;
  #rest: Buffer = Buffer.alloc(0);

  /** `mark` is the first word of a line of its own; `ended` is called where it was met, after all output before it. */
  constructor(mark: string, emit: (bytes: Buffer) => void, ended: (exitCode: number) => void) {
    this.#mark = Buffer.from(`${mark} `);
    this.#emit = emit;
    this.#ended = ended;
  }

  push(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const at = bytes.indexOf(this.#mark);
      if (at === -1) break;
      const end = bytes.indexOf(10, at + this.#mark.length);
      // The line end before the mark is its own, unless a look already took it.
      const upTo = bytes[at - 1] === LINE_END ? at - 1 : at;
      if (upTo > 0) this.#emit(bytes.subarray(0, upTo));
      bytes = bytes.subarray(at);
      const isWhole = end !== -1 && end - at - this.#mark.length <= MARK_END_BYTES;
      if (!isWhole && bytes.length <= this.#mark.length + MARK_END_BYTES) {
        this.#rest = Buffer.from(bytes);
        return;
      }
      if (isWhole) this.#ended(Number(bytes.toString('latin1', this.#mark.length, end - at)));
      bytes = bytes.subarray(isWhole ? end - at + 1 : this.#mark.length);
    }
    const held = this.#beginningAtEnd(bytes);
    if (bytes.length > held) this.#emit(bytes.subarray(0, bytes.length - held));
    this.#rest = Buffer.from(bytes.subarray(bytes.length - held));
  }

  /** Gives up a line end that was held back: somebody looks at what there is. */
  look(): void {
    if (this.#rest.length === 1 && this.#rest[0] === LINE_END) this.end();
  }

  /** Gives up what was held back: no mark comes any more. */
  end(): void {
    if (this.#rest.length > 0) this.#emit(this.#rest);
    this.#rest = Buffer.alloc(0);
  }

  /** How many of the last bytes could begin a mark. */
  #beginningAtEnd(bytes: Buffer): number {
    for (let count = Math.min(bytes.length, this.#mark.length - 1); count > 0; count--) {
      if (!bytes.subarray(bytes.length - count).equals(this.#mark.subarray(0, count))) continue;
      return count + (bytes[bytes.length - count - 1] === LINE_END ? 1 : 0);
    }
    return bytes.at(-1) === LINE_END ? 1 : 0;
  }
}
