// Keeps the first and the last bytes of an output whose length nobody knows, in memory that does not grow. As soon as
// something would be lost, all of it goes to a private file too, up to a bound.
import fs from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../workspace/door-error.ts';

/** Bounds in bytes, and where the whole output is kept if it does not fit. */
export interface CaptureOptions {
  readonly headBytes: number;
  readonly tailBytes: number;
  readonly spillBytes: number;
  /** null = there is none: what does not fit is lost. */
  readonly spillFolder: string | null;
  /** One plain file name. */
  readonly spillId: string;
}

export interface CapturedOutput {
  readonly head: Buffer;
  readonly tail: Buffer;
  /** Bytes between head and tail that are not here. */
  readonly omitted: number;
  readonly total: number;
  /** Id of the file that holds the output; null when head and tail are all of it, or the file could not be written. */
  readonly spillId: string | null;
  /** Bytes in that file: less than `total` where its bound, or the disk, was reached. */
  readonly spilled: number;
}

export class OutputCapture {
  readonly #options: CaptureOptions;
  readonly #head: Buffer;
  readonly #ring: Buffer;
  #headLength = 0;
  #ringAt = 0;
  #ringLength = 0;
  #total = 0;
  #file: number | null = null;
  #spilled = 0;
  #spillEnded = false;

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.#head = Buffer.alloc(options.headBytes);
    this.#ring = Buffer.alloc(options.tailBytes);
    this.#spillEnded = options.spillBytes === 0 || options.spillFolder === null;
  }

  get total(): number {
    return this.#total;
  }

  /** Takes the next bytes; keeps no reference to `chunk`. */
  push(chunk: Buffer): void {
    const fits = this.#total + chunk.length <= this.#head.length + this.#ring.length;
    if (!fits && this.#file === null && !this.#spillEnded) this.#startSpill();
    if (this.#file !== null) this.#spill(chunk);
    this.#total += chunk.length;
    const toHead = Math.min(chunk.length, this.#head.length - this.#headLength);
    chunk.copy(this.#head, this.#headLength, 0, toHead);
    this.#headLength += toHead;
    this.#pushTail(chunk.subarray(toHead));
  }

  /** What was kept; ends the file. Call it once. */
  finish(): CapturedOutput {
    if (this.#file !== null) fs.closeSync(this.#file);
    const kept = this.#spilled > 0;
    this.#file = null;
    this.#spillEnded = true;
    return {
      head: Buffer.from(this.#head.subarray(0, this.#headLength)),
      tail: this.#tail(),
      omitted: this.#total - this.#headLength - this.#ringLength,
      total: this.#total,
      spillId: kept ? this.#options.spillId : null,
      spilled: this.#spilled,
    };
  }

  #pushTail(bytes: Buffer): void {
    const size = this.#ring.length;
    const rest = bytes.length > size ? bytes.subarray(bytes.length - size) : bytes;
    if (rest.length === 0) return;
    const first = Math.min(rest.length, size - this.#ringAt);
    rest.copy(this.#ring, this.#ringAt, 0, first);
    rest.copy(this.#ring, 0, first);
    this.#ringAt = (this.#ringAt + rest.length) % size;
    this.#ringLength = Math.min(size, this.#ringLength + rest.length);
  }

  #tail(): Buffer {
    const size = this.#ring.length;
    if (this.#ringLength < size) return Buffer.from(this.#ring.subarray(0, this.#ringLength));
    return Buffer.concat([this.#ring.subarray(this.#ringAt), this.#ring.subarray(0, this.#ringAt)]);
  }

  /** Opens the file with what came so far; all of that is still here. */
  #startSpill(): void {
    const { spillFolder, spillId } = this.#options;
    if (spillFolder === null) return;
    try {
      fs.mkdirSync(spillFolder, { recursive: true, mode: 0o700 });
      this.#file = fs.openSync(path.join(spillFolder, spillId), 'wx', 0o600);
    } catch (error) {
      if (errnoOf(error) === '') throw error;
      this.#spillEnded = true;
      return;
    }
    this.#spill(this.#head.subarray(0, this.#headLength));
    this.#spill(this.#tail());
  }

  #spill(bytes: Buffer): void {
    if (this.#file === null) return;
    const part = bytes.subarray(0, this.#options.spillBytes - this.#spilled);
    try {
      for (let at = 0; at < part.length;) {
        const wrote = fs.writeSync(this.#file, part, at);
        at += wrote;
        this.#spilled += wrote;
      }
    } catch (error) {
      // A full disk ends the copy, not the command; `spilled` says how far it went.
      if (errnoOf(error) === '') throw error;
      this.#endSpill();
    }
    if (this.#spilled >= this.#options.spillBytes) this.#endSpill();
  }

  #endSpill(): void {
    if (this.#file !== null) fs.closeSync(this.#file);
    this.#file = null;
    this.#spillEnded = true;
  }
}
