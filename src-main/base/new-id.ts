// UUIDv7 (RFC 9562 section 5.7): 48 bits of Unix milliseconds, then random bits with a counter, so that ids made in
// one process sort in the order in which they were made.

let lastMs = 0;
let counter = 0;

/** Two hex digits for each byte: many ids are made with every step. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const hex = (byte: number | undefined): string => HEX[(byte ?? 0) & 0xff] ?? '00';

// What is written of the last millisecond: ids of one step share it.
let writtenMs = -1;
let written = '';

// Random bytes are drawn for many ids at once: a draw costs far more than the bytes.
const pool = new Uint8Array(16 * 256);
let used = pool.length;

/** Where the next 16 random bytes begin. */
function nextRandom(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += 16;
  return used - 16;
}

/** The first 48 bits: 8 digits, a dash, 4 digits. */
function timeText(ms: number): string {
  if (ms !== writtenMs) {
    const text = ms.toString(16).padStart(12, '0');
    written = `${text.slice(0, 8)}-${text.slice(8)}`;
    writtenMs = ms;
  }
  return written;
}

/** A fresh UUIDv7 as text, branded by the caller. `nowMs` is Unix milliseconds; ids never sort before earlier ones. */
export function newId<T extends string = string>(nowMs: number = Date.now()): T {
  const at = nextRandom();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = ((pool[at] ?? 0) << 3) | ((pool[at + 1] ?? 0) >> 5);
  } else {
    counter += 1;
    if (counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
  }
  const count = `${(counter >> 8).toString(16)}${hex(counter)}`;
  const variant = hex(0x80 | ((pool[at + 2] ?? 0) & 0x3f));
  const tail = `${hex(pool[at + 4])}${hex(pool[at + 5])}${hex(pool[at + 6])}${hex(pool[at + 7])}${hex(pool[at + 8])}${hex(pool[at + 9])}`;
  return `${timeText(lastMs)}-7${count}-${variant}${hex(pool[at + 3])}-${tail}` as T;
}
