// Reads a file that was dropped, pasted or chosen, if it is text: what is not text is refused in words, and is not read
// further than needed to know.
import { showSize } from '../../ui/text/cut-text.ts';

export type ReadFile = { readonly name: string; readonly text: string } | { readonly refused: string };

/** What one name may hold, by the contract. */
const LONGEST_NAME = 200;
/** The beginning that tells text from anything else: a NUL there is in no text but UTF-16. */
const LOOKED_AT = 8192;

/** The text of a file of at most `mostBytes`, or why it is not attached. Never rejects. */
export async function readTextFile(file: File, mostBytes: number): Promise<ReadFile> {
  const name = shortName(file.name === '' ? 'Unnamed file' : file.name);
  if (file.type.startsWith('image/') && file.type !== 'image/svg+xml') {
    return { refused: `${name} is an image. Images cannot be attached yet; text files can.` };
  }
  if (file.size === 0) return { refused: `${name} is empty, or is not a file. Nothing was attached.` };
  if (file.size > mostBytes) {
    return {
      refused: `${name} has ${showSize(file.size)}; ${showSize(mostBytes)} fit into a message. Put it into the folder and name it with @ instead: it is then read in parts.`,
    };
  }
  try {
    const head = new Uint8Array(await file.slice(0, LOOKED_AT).arrayBuffer());
    const encoding = encodingOf(head);
    if (encoding === null) return notText(name);
    const text = new TextDecoder(encoding, { fatal: true }).decode(await file.arrayBuffer());
    return { name, text };
  } catch (caught) {
    if (caught instanceof TypeError) return notText(name);
    return { refused: `${name} could not be read. It may have been moved, or you may not read it.` };
  }
}

function notText(name: string): ReadFile {
  return { refused: `${name} is not text, so it cannot be attached. Save it as plain text and attach that.` };
}

function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return head.includes(0) ? null : 'utf-8';
}

/** Keeps the end, which has the kind of the file. */
function shortName(name: string): string {
  return name.length <= LONGEST_NAME ? name : `…${name.slice(-(LONGEST_NAME - 1)).toWellFormed()}`;
}
