// Splits growing markdown into its top-level blocks, reading only what may still change: all blocks but the last are
// closed and keep their identity, so that what draws them can keep its work.
// Invariant: the sources of the blocks, joined, are the text.
import { lexer } from 'marked';

export interface MarkdownBlock {
  readonly source: string;
  readonly type: 'code' | 'other';
  /** Code blocks: language as written, and the code without its fence. */
  readonly language: string;
  readonly code: string;
  /** Nothing that follows in the text can change this block. */
  readonly closed: boolean;
}

export interface SplitText {
  readonly text: string;
  readonly blocks: readonly MarkdownBlock[];
}

export const EMPTY_SPLIT: SplitText = { text: '', blocks: [] };

const FENCE_END = /\n {0,3}(?:`{3,}|~{3,})[ \t]*\n?$/;

function lexBlocks(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let from = 0;
  // marked normalises CRLF and tabs in `raw`, so positions are counted in the normalised text given to it.
  for (const token of lexer(text, { gfm: true })) {
    const source = text.slice(from, from + token.raw.length);
    from += token.raw.length;
    const last = blocks.at(-1);
    if (token.type === 'space' && last) {
      blocks[blocks.length - 1] = { ...last, source: last.source + source };
    } else if (token.type === 'code') {
      const code = 'text' in token && typeof token.text === 'string' ? token.text : source;
      const language = 'lang' in token && typeof token.lang === 'string' ? (token.lang.split(/\s/)[0] ?? '') : '';
      blocks.push({ source, type: 'code', language, code, closed: FENCE_END.test(source) });
    } else {
      blocks.push({ source, type: 'other', language: '', code: '', closed: false });
    }
  }
  if (from < text.length)
    blocks.push({ source: text.slice(from), type: 'other', language: '', code: '', closed: false });
  return blocks;
}

/**
 * Splits `text`. Give the last result as `previous`: where the text only grew, its closed blocks are kept as they are.
 * With `finished`, the last block is closed too.
 */
export function splitBlocks(text: string, previous: SplitText, finished: boolean): SplitText {
  const normal = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  if (normal === previous.text && previous.blocks.at(-1)?.closed === true) return previous;
  // The last block may grow, and a list or a setext heading may still swallow the one before it only while it is last.
  const kept = normal.startsWith(previous.text) ? previous.blocks.slice(0, -1) : [];
  const offset = kept.reduce((sum, block) => sum + block.source.length, 0);
  const fresh = lexBlocks(normal.slice(offset)).map((block, index, all) =>
    index < all.length - 1 || finished ? { ...block, closed: true } : block,
  );
  return { text: normal, blocks: [...kept, ...fresh] };
}
