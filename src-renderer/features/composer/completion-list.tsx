// The list of choices above the composer. Keys stay in the text field; this only shows which one is chosen.
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { classes } from '../../ui/classes.ts';
import { VisibleText } from '../../ui/verbatim/verbatim.tsx';
import type { CompletionChoice } from './use-completions.ts';
import styles from './composer.module.css';

export interface CompletionListProps {
  readonly id: string;
  readonly label: string;
  readonly choices: readonly CompletionChoice[];
  readonly chosen: number;
  readonly onTake: (index: number) => void;
}

/** See the file's header. The option of an index has the id `ID-INDEX`. */
export function CompletionList({ id, label, choices, chosen, onTake }: CompletionListProps): ReactElement {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen, choices]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className={styles['completions']}>
      {choices.map((choice, index) => (
        <div
          key={choice.insert}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          className={classes(styles['option'], index === chosen && styles['chosen'])}
          // Before the field loses its focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(index);
          }}
        >
          <span className={choice.mono ? styles['mono'] : undefined}>
            <VisibleText text={choice.label} oneLine />
          </span>
          <span className={styles['hint']}>
            <VisibleText text={choice.hint} oneLine />
          </span>
        </div>
      ))}
    </div>
  );
}
