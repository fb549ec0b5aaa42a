// SHA-256 through the web-standard crypto, so the engine needs no node module.

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The SHA-256 of a text's UTF-8 bytes, as 64 hex digits. */
export async function sha256Hex(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  let out = '';
  for (const byte of bytes) out += hex[byte] ?? '';
  return out;
}
