// Text of a file and back, byte for byte: UTF-8 with or without a mark, UTF-16 by its mark. Anything else is refused
// rather than mangled. Invariant: encodeText(decodeText(bytes)) gives the same bytes.
import { AppError } from '../../base/app-error.ts';

export type TextEncoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';

export interface DecodedText {
  /** Without the byte order mark. */
  readonly text: string;
  readonly encoding: TextEncoding;
}

const MARKS: readonly (readonly [TextEncoding, readonly number[]])[] = [
  ['utf-8-bom', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** How far a NUL is looked for: as far as git and grep look. */
const BINARY_PROBE_BYTES = 8192;

const markOf = (encoding: TextEncoding): Uint8Array =>
  Uint8Array.from(MARKS.find(([name]) => name === encoding)?.[1] ?? []);

/** The encoding that the first bytes of a file tell. */
export function encodingOf(start: Uint8Array): TextEncoding {
  return MARKS.find(([, mark]) => mark.every((byte, index) => start[index] === byte))?.[0] ?? 'utf-8';
}

/** Whether bytes without a UTF-16 mark hold a NUL near their start, as no text does. */
export function looksBinary(start: Uint8Array): boolean {
  const encoding = encodingOf(start);
  return (encoding === 'utf-8' || encoding === 'utf-8-bom') && start.subarray(0, BINARY_PROBE_BYTES).includes(0);
}

const notText = (why: string): AppError => new AppError('workspace.not-text', why);

/** The text of bytes; `start` false = they are from the middle of a file of that `encoding`. workspace.not-text. */
export function decodePart(bytes: Uint8Array, encoding: TextEncoding, start = true): string {
  const body = start ? bytes.subarray(markOf(encoding).length) : bytes;
  const label = encoding === 'utf-8-bom' ? 'utf-8' : encoding;
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(body);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw notText(
      `It is not valid ${label.toUpperCase()} text. Convert it first, for example with iconv in the shell.`,
    );
  }
}

/** The text of a whole file. workspace.not-text for binary files and other encodings. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (looksBinary(bytes)) throw notText(`It is ${describeBinary(bytes)}, not text.`);
  const encoding = encodingOf(bytes);
  return { text: decodePart(bytes, encoding), encoding };
}

/** The bytes of a text in an encoding, with its mark. */
export function encodeText({ text, encoding }: DecodedText): Buffer {
  const utf16 = encoding === 'utf-16le' || encoding === 'utf-16be';
  const body = Buffer.from(text, utf16 ? 'utf16le' : 'utf8');
  if (encoding === 'utf-16be') body.swap16();
  return Buffer.concat([markOf(encoding), body]);
}

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['89504e47', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['47494638', 'a GIF image'],
  ['25504446', 'a PDF document'],
  ['504b0304', 'a ZIP archive'],
  ['1f8b', 'a gzip archive'],
  ['7f454c46', 'an ELF program'],
  ['53514c69746520', 'an SQLite database'],
];

/** What a binary file is, in a few words. */
function describeBinary(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('hex');
  return SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1] ?? 'a binary file';
}

/** The line end that a text uses most; LF when it has none. */
export function lineEndOf(text: string): '\r\n' | '\n' {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') crlf += 1;
    else lf += 1;
  }
  return crlf > lf ? '\r\n' : '\n';
}

/** The text with every line end as `lineEnd`. */
export function withLineEnds(text: string, lineEnd: '\r\n' | '\n'): string {
  return text.replace(/\r?\n/g, () => lineEnd);
}
