// A model's answer as markdown, whole or still growing. Closed blocks are drawn once; only the last one is drawn again.
import { memo, useRef } from 'react';
import type { ReactElement } from 'react';
import { classes } from '../classes.ts';
import { LongText } from '../text/long-text.tsx';
import { MarkdownBlockView } from './markdown-block.tsx';
import { EMPTY_SPLIT, splitBlocks } from './split-blocks.ts';
import type { MarkdownBlock } from './split-blocks.ts';
import styles from './markdown.module.css';

/** A text above this is shown as it is: reading it as markdown would hold up the window. */
const LONGEST_TEXT = 400_000;
const LONGEST_BLOCK = 100_000;

function drawBlock(block: MarkdownBlock, index: number): ReactElement {
  return (
    <div key={index} className={styles['block']}>
      {block.type === 'other' && block.source.length > LONGEST_BLOCK ? (
        <LongText text={block.source} label="Long text" />
      ) : (
        <MarkdownBlockView block={block} />
      )}
    </div>
  );
}

/** `finished` = no more will come. */
export const MarkdownText = memo(function MarkdownText(props: { text: string; finished: boolean }): ReactElement {
  const { text, finished } = props;
  // A cache, not state: the same text gives the same blocks, whether or not earlier ones were kept.
  const last = useRef(EMPTY_SPLIT);
  if (text.length > LONGEST_TEXT) return <LongText text={text} label="Long answer, shown as it was written" />;
  last.current = splitBlocks(text, last.current, finished);
  return (
    <div className={classes(styles['markdown'], !finished && styles['growing'])}>
      {last.current.blocks.map(drawBlock)}
    </div>
  );
});
