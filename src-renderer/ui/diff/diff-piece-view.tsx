// Draws one piece of a diff as a table, with changed words marked and hidden characters made visible.
import { memo, useMemo } from 'react';
import type { ReactElement } from 'react';
import { Diff, Hunk } from 'react-diff-view';
import type { ChangeData, HunkTokens, RenderToken, TokenNode } from 'react-diff-view';
import { VisibleText } from '../verbatim/verbatim.tsx';
import { markChanges } from './mark-words.ts';
import type { WordRange } from './mark-words.ts';
import type { DiffPiece } from './parse-diff.ts';
import styles from './diff-view.module.css';

const text = (value: string): TokenNode => ({ type: 'text', value });

function toTokens(content: string, range: WordRange | undefined): TokenNode[] {
  if (range === undefined || range[0] >= range[1]) return [text(content)];
  const [from, to] = range;
  return [
    text(content.slice(0, from)),
    { type: 'edit', children: [text(content.slice(from, to))] },
    text(content.slice(to)),
  ].filter((token) => token.type === 'edit' || token['value'] !== '');
}

/** Tokens as react-diff-view looks them up: by line number, one array a side. Sparse, as only this piece is drawn. */
function toHunkTokens(changes: readonly ChangeData[], cut: number): HunkTokens {
  const ranges = markChanges(changes);
  const tokens: HunkTokens = { old: [], new: [] };
  for (const change of changes) {
    const content = change.content.length > cut ? `${change.content.slice(0, cut)} …` : change.content;
    const range = content === change.content ? ranges.get(change) : undefined;
    if (change.type === 'insert') tokens.new[change.lineNumber - 1] = toTokens(content, range);
    else
      tokens.old[(change.type === 'delete' ? change.lineNumber : change.oldLineNumber) - 1] = toTokens(content, range);
  }
  return tokens;
}

const drawToken: RenderToken = (token, _renderDefault, index) =>
  token.type === 'edit' ? (
    <mark key={index} className="diff-code-edit">
      <VisibleText text={(token.children ?? []).map((child) => String(child['value'] ?? '')).join('')} />
    </mark>
  ) : (
    <VisibleText key={index} text={String(token['value'] ?? '')} />
  );

/** `cut` = characters of a line that are shown at most. */
export const DiffPieceView = memo(function DiffPieceView(props: { piece: DiffPiece; cut: number }): ReactElement {
  const { piece, cut } = props;
  const tokens = useMemo(() => toHunkTokens(piece.hunk.changes, cut), [piece, cut]);
  return (
    <Diff
      diffType="modify"
      viewType="unified"
      hunks={[piece.hunk]}
      tokens={tokens}
      renderToken={drawToken}
      className={styles['table'] ?? ''}
    >
      {(hunks) => hunks.map((hunk) => <Hunk key={hunk.content} hunk={hunk} />)}
    </Diff>
  );
});
