// Says that something takes time, after 200 ms; before that it takes its room but shows nothing.
import { classes } from './classes.ts';
import { useDelayed } from './use-delayed.ts';
import styles from './spinner.module.css';

export interface SpinnerProps {
  /** What is being waited for, in words: `Loading chats`. */
  readonly label: string;
  /** Shows the words beside the ring. */
  readonly withText?: boolean;
}

export function Spinner({ label, withText = false }: SpinnerProps) {
  const shown = useDelayed(true);
  return (
    <span className={classes(styles['spinner'], shown && styles['shown'])} role="status">
      <span className={styles['ring']} aria-hidden="true" />
      {shown && <span className={withText ? undefined : 'visually-hidden'}>{label}</span>}
    </span>
  );
}
