// Preformatted text of any size: a first part, a button for all of it, and pieces drawn only when they come near the
// view. `verbatim` makes hidden characters visible.
import { useEffect, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { Button } from '../button.tsx';
import { VisibleText } from '../verbatim/verbatim.tsx';
import { cutText, headOf, showSize, SHOWN_CHARACTERS } from './cut-text.ts';
import { LazyPiece } from './lazy-piece.tsx';
import styles from './long-text.module.css';

const LINE_PX = 20;
const ROUGH_COLUMNS = 90;

function roughHeight(piece: string): number {
  let lines = 0;
  for (const line of piece.split('\n')) lines += Math.max(1, Math.ceil(line.length / ROUGH_COLUMNS));
  return lines * LINE_PX;
}

export interface LongTextProps {
  readonly text: string;
  readonly label: string;
  /** Escape what is hidden or reorders. */
  readonly verbatim?: boolean;
  /** Characters shown before a person asks for all. */
  readonly limit?: number;
  /** Told whenever it changes whether all of the text is laid out. */
  readonly onComplete?: (complete: boolean) => void;
}

/** See the file's header. */
export function LongText({
  text,
  label,
  verbatim = false,
  limit = SHOWN_CHARACTERS,
  onComplete,
}: LongTextProps): ReactElement {
  const [all, setAll] = useState(false);
  const complete = all || text.length <= limit;
  const pieces = useMemo(() => cutText(complete ? text : headOf(text, limit)), [text, complete, limit]);
  useEffect(() => onComplete?.(complete), [complete, onComplete]);
  return (
    <div className={styles['text']} dir="ltr" role="group" aria-label={label}>
      {pieces.map((piece, index) => (
        <LazyPiece
          key={`${index}:${piece.length}`}
          eager={index < 2}
          height={roughHeight(piece)}
          draw={() => <pre className={styles['piece']}>{verbatim ? <VisibleText text={piece} /> : piece}</pre>}
        />
      ))}
      {!complete && (
        <Button size="small" className={styles['more']} onClick={() => setAll(true)}>
          Show all ({showSize(text.length)})
        </Button>
      )}
    </div>
  );
}
