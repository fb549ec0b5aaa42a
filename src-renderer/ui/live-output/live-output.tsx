// What a running command prints, newest at the end. Follows the end unless the reader scrolled up.
import { useLayoutEffect, useMemo, useRef } from 'react';
import type { ReactElement } from 'react';
import { stripAnsi } from '../text/strip-ansi.ts';
import { VisibleText } from '../verbatim/verbatim.tsx';
import styles from './live-output.module.css';

/** Characters drawn at most: what a person can follow. The whole output comes with the result. */
const DRAWN = 12_000;
const NEAR_END = 24;

/** See the file's header. */
export function LiveOutput({ text }: { text: string }): ReactElement {
  const box = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  const shown = useMemo(() => stripAnsi(text.slice(-DRAWN)), [text]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight;
  }, [shown]);
  return (
    <pre
      ref={box}
      className={styles['output']}
      dir="ltr"
      tabIndex={0}
      aria-label="Output so far"
      onScroll={({ currentTarget: at }) => {
        follows.current = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_END;
      }}
    >
      <VisibleText text={shown} />
    </pre>
  );
}
