// Works out what a write or an edit will put into a file: the new bytes with the file's own encoding and line ends, the
// diff, and how edits matched. Pure over bytes; the largest part of a change, so it may run in the files worker.
import { AppError } from '../../base/app-error.ts';
import { applyEdits } from './apply-edits.ts';
import type { MatchKind, TextEdit } from './apply-edits.ts';
import { sha256 } from './file-version.ts';
import { decodeText, encodeText, lineEndOf, withLineEnds } from './text-file.ts';
import { unifiedDiff } from './unified-diff.ts';

/** What to do to a file: all of its new content, or replacements. */
export type ChangeRequest =
  | { readonly type: 'content'; readonly content: string }
  | { readonly type: 'edits'; readonly edits: readonly TextEdit[] };

export interface ChangePlan {
  readonly bytes: Uint8Array;
  /** sha256 of the new bytes. */
  readonly after: string;
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly matches: readonly MatchKind[];
  readonly replaced: number;
}

/** New content in the clothes of the old: its encoding and, where it has one line end only, that line end. */
function dressed(content: string, base: Uint8Array): { before: string; after: string; bytes: Buffer } {
  const { text, encoding } = decodeText(base);
  const uniformCrlf = lineEndOf(text) === '\r\n' && !/(?<!\r)\n/.test(text);
  const body = content.startsWith('\uFEFF') ? content.slice(1) : content;
  const after = uniformCrlf && !body.includes('\r\n') ? withLineEnds(body, '\r\n') : body;
  return { before: text, after, bytes: encodeText({ text: after, encoding }) };
}

/**
 * Plans a change of the file `path` (for the diff's head) from its bytes; null = the file is not there.
 * tool.failed when edits do not apply or nothing would change; workspace.not-text.
 */
export function planChange(path: string, base: Uint8Array | null, request: ChangeRequest): ChangePlan {
  if (request.type === 'content') return planContent(path, base, request.content);
  if (base === null) throw new AppError('workspace.not-found', `${path} does not exist. Use write_file to make it.`);
  const { text, encoding } = decodeText(base);
  const result = applyEdits(text, request.edits);
  if (!result.ok) throw new AppError('tool.failed', result.failure);
  const bytes = encodeText({ text: result.text, encoding });
  const { matches, replaced } = result;
  return { bytes, after: sha256(bytes), ...unifiedDiff(path, text, result.text), matches, replaced };
}

function planContent(path: string, base: Uint8Array | null, content: string): ChangePlan {
  if (!content.isWellFormed())
    throw new AppError('tool.failed', 'The content has half a character pair, which no file can hold.');
  const plan =
    base === null ? { before: null, after: content, bytes: Buffer.from(content, 'utf8') } : dressed(content, base);
  if (plan.before === plan.after) {
    throw new AppError('tool.failed', `${path} has exactly this content already. Nothing was written.`);
  }
  const diff = unifiedDiff(path, plan.before, plan.after);
  return { bytes: plan.bytes, after: sha256(plan.bytes), ...diff, matches: [], replaced: 0 };
}
