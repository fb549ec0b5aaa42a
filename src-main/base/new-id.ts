// UUIDv7 (RFC 9562 section 5.7): 48 bits of Unix milliseconds, then random bits with a counter, so that ids made in
// one process sort in the order in which they were made.

let lastMs = 0;
let counter = 0;

// Random bytes are drawn for many ids at once: a draw costs far more than the bytes.
const pool = new Uint8Array(16 * 256);
let used = pool.length;

function nextRandom(): Uint8Array {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used);
}

/** A fresh UUIDv7 as text, branded by the caller. `nowMs` is Unix milliseconds; ids never sort before earlier ones. */
export function newId<T extends string = string>(nowMs: number = Date.now()): T {
  const random = nextRandom();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = ((random[6] ?? 0) << 3) | ((random[7] ?? 0) >> 5);
  } else {
    counter += 1;
    if (counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const count = counter.toString(16).padStart(3, '0');
  const variant = (0x80 | ((random[8] ?? 0) & 0x3f)).toString(16);
  let tail = '';
  for (let i = 9; i < 16; i++) tail += (random[i] ?? 0).toString(16).padStart(2, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${tail.slice(0, 2)}-${tail.slice(2)}` as T;
}
