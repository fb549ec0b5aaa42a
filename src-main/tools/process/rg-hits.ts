// Reads what ripgrep prints with --null --line-number --column --max-columns 1: PATH NUL LINE:COLUMN:note. The note is
// never the line itself, so a record is short whatever the file holds.

export interface RgHit {
  /** The path as bytes tell it; null when they are no UTF-8. */
  readonly path: string | null;
  readonly line: number;
  readonly column: number;
}

/** Records longer than this are not records: the reader gives up on them. */
const MAX_RECORD_BYTES = 64 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function toPath(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes).replace(/^\.\//, '');
  } catch {
    return null;
  }
}

/** Takes chunks of output and tells hits. */
export class RgHitReader {
  readonly #tell: (hit: RgHit) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(tell: (hit: RgHit) => void) {
    this.#tell = tell;
  }

  push(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const nul = bytes.indexOf(0);
      const end = nul < 0 ? -1 : bytes.indexOf(10, nul);
      if (end < 0) break;
      const numbers = /^(\d+):(\d+):/.exec(bytes.toString('latin1', nul + 1, Math.min(end, nul + 40)));
      if (numbers !== null) {
        this.#tell({ path: toPath(bytes.subarray(0, nul)), line: Number(numbers[1]), column: Number(numbers[2]) });
      }
      bytes = bytes.subarray(end + 1);
    }
    this.#rest = bytes.length > MAX_RECORD_BYTES ? Buffer.alloc(0) : Buffer.from(bytes);
  }
}
