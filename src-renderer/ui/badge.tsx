// A small word or number beside something. The tone is a state; the word says it too, so colour is never alone.
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './badge.module.css';

export interface BadgeProps {
  readonly tone?: 'neutral' | 'accent' | 'wait' | 'bad' | 'add';
  /** What a screen reader hears in place of the content. */
  readonly label?: string;
  readonly children: ReactNode;
}

export function Badge({ tone = 'neutral', label, children }: BadgeProps) {
  return (
    <span className={classes(styles['badge'], styles[tone])}>
      {label === undefined ? (
        children
      ) : (
        <>
          <span aria-hidden="true">{children}</span>
          <span className="visually-hidden">{label}</span>
        </>
      )}
    </span>
  );
}
