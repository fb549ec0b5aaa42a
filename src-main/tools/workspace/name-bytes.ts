// Names as bytes and as text. A name that is no UTF-8 keeps its odd bytes as lone surrogates (0x80 is U+DC80), so every
// name has exactly one text and every text goes back to the same bytes. What people read is made elsewhere.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const ODD_BYTES = 0xdc00;

function decoded(bytes: Buffer): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** How many bytes a character that begins with this byte has; 0 = none begins with it. */
function lengthFrom(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
}

/** The text of a name's bytes. */
export function nameOf(bytes: Buffer): string {
  const plain = decoded(bytes);
  if (plain !== null) return plain;
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    const length = lengthFrom(byte);
    const character = length === 0 || at + length > bytes.length ? null : decoded(bytes.subarray(at, at + length));
    text += character ?? String.fromCharCode(ODD_BYTES + byte);
    at += character === null ? 1 : length;
  }
  return text;
}

/** The bytes of a name's text. */
export function bytesOf(name: string): Buffer {
  if (name.isWellFormed()) return Buffer.from(name, 'utf8');
  const pieces = name.split(/([\uDC80-\uDCFF])/u);
  return Buffer.concat(
    pieces.map((piece) =>
      /^[\uDC80-\uDCFF]$/.test(piece) ? Buffer.from([piece.charCodeAt(0) - ODD_BYTES]) : Buffer.from(piece, 'utf8'),
    ),
  );
}
