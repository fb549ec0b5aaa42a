// Shows bytes as they are: a command, a path, arguments. Never markdown, never reordered, nothing hidden. What is long
// is drawn in pieces, so that no text, however hostile, can freeze the window.
import { useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { toVisible } from './to-visible.ts';
import type { VisiblePart } from './to-visible.ts';
import styles from './verbatim.module.css';

function drawPart(part: VisiblePart, index: number): ReactNode {
  switch (part.type) {
    case 'text':
      return part.source;
    case 'rtl':
      return <bdi key={index}>{part.source}</bdi>;
    case 'escape':
      return (
        <span key={index} role="img" aria-label={part.label} title={part.label} className={styles['escape']}>
          {part.shown}
        </span>
      );
  }
}

/** Text with hidden characters made visible, to be put inside any element. `oneLine` escapes line feeds and tabs too. */
export function VisibleText({ text, oneLine = false }: { text: string; oneLine?: boolean }): ReactElement {
  const parts = useMemo(() => toVisible(text, oneLine), [text, oneLine]);
  return <>{parts.map(drawPart)}</>;
}

/** A path, name or address inside a sentence. */
export function InlineCode({ text, strong = false }: { text: string; strong?: boolean }): ReactElement {
  return (
    <code dir="ltr" className={classes(styles['inline'], strong && styles['strong'])}>
      <VisibleText text={text} oneLine />
    </code>
  );
}
