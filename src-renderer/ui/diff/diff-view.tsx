// The unified diff of one file, for judging and for reading back: hunks, changed words marked, line numbers of both
// sides. Long diffs are cut with a button for the rest, and drawn piece by piece near the view.
import { useEffect, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import 'react-diff-view/style/index.css';
import { Button } from '../button.tsx';
import { LazyPiece } from '../text/lazy-piece.tsx';
import { LongText } from '../text/long-text.tsx';
import { showSize } from '../text/cut-text.ts';
import { VisibleText } from '../verbatim/verbatim.tsx';
import { DiffPieceView } from './diff-piece-view.tsx';
import { parseDiff } from './parse-diff.ts';
import type { DiffPiece, ParsedDiff } from './parse-diff.ts';
import styles from './diff-view.module.css';

const LINE_PX = 20;
const CUT_LINE = 1000;
/** A diff larger than this is parsed only when a person asks for it. */
const LARGEST_PARSED = 400_000;

export interface DiffViewProps {
  readonly diff: string;
  /** Path of the file, for the accessible name. */
  readonly path: string;
  /** Lines shown before a person asks for all. */
  readonly limit?: number;
  /** Told whenever it changes whether every line is laid out whole. */
  readonly onComplete?: (complete: boolean) => void;
}

function takePieces(parsed: ParsedDiff, limit: number): readonly DiffPiece[] {
  let lines = 0;
  const taken: DiffPiece[] = [];
  for (const piece of parsed.pieces) {
    if (lines >= limit) break;
    taken.push(piece);
    lines += piece.hunk.changes.length;
  }
  return taken;
}

const countLines = (pieces: readonly DiffPiece[]): number =>
  pieces.reduce((sum, piece) => sum + piece.hunk.changes.length, 0);

function usePieces(props: DiffViewProps): {
  parsed: ParsedDiff;
  shown: readonly DiffPiece[];
  large: boolean;
  complete: boolean;
  cut: number;
  showAll: () => void;
} {
  const { diff, limit = 400, onComplete } = props;
  const [all, setAll] = useState(false);
  const large = !all && diff.length > LARGEST_PARSED;
  // The head of a large diff ends in the middle of a hunk, which the parser takes as it is.
  const parsed = useMemo(
    () => parseDiff(large ? diff.slice(0, diff.lastIndexOf('\n', LARGEST_PARSED / 8)) : diff),
    [diff, large],
  );
  const shown = useMemo(() => takePieces(parsed, all ? Infinity : limit), [parsed, all, limit]);
  const longLine = useMemo(
    () => shown.some((piece) => piece.hunk.changes.some((change) => change.content.length > CUT_LINE)),
    [shown],
  );
  const complete = all || (!large && shown.length === parsed.pieces.length && !longLine);
  useEffect(() => onComplete?.(complete), [complete, onComplete]);
  return { parsed, shown, large, complete, cut: all ? Infinity : CUT_LINE, showAll: () => setAll(true) };
}

/** See the file's header. */
export function DiffView(props: DiffViewProps): ReactElement {
  const { parsed, shown, large, complete, cut, showAll } = usePieces(props);
  if (parsed.pieces.length === 0 && parsed.rest === '') return <p className={styles['note']}>No lines change.</p>;
  return (
    <div className={styles['diff']} dir="ltr" role="group" aria-label={`Changes to ${props.path}`}>
      {shown.map((piece, index) => (
        <div key={index}>
          {piece.header !== null && (
            <div className={styles['header']}>
              <VisibleText text={piece.header} oneLine />
            </div>
          )}
          <LazyPiece
            eager={index < 2}
            height={piece.hunk.changes.length * LINE_PX}
            draw={() => <DiffPieceView piece={piece} cut={cut} />}
          />
        </div>
      ))}
      {parsed.rest !== '' && <LongText text={parsed.rest} label="Text that is not part of a hunk" verbatim />}
      {parsed.notes.map((note) => (
        <p key={note} className={styles['note']}>
          {note}
        </p>
      ))}
      {!complete && (
        <Button size="small" className={styles['more']} onClick={showAll}>
          {large ? `Show all of it (${showSize(props.diff.length)})` : showAllLabel(parsed.lines, countLines(shown))}
        </Button>
      )}
    </div>
  );
}

function showAllLabel(lines: number, shown: number): string {
  return shown < lines ? `Show all ${lines.toLocaleString('en')} lines` : 'Show long lines whole';
}
