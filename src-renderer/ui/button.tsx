// The one button with words. `primary` is for the single thing a screen is about; `danger` for what cannot be taken back.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Kbd } from './kbd.tsx';
import { classes } from './classes.ts';
import styles from './button.module.css';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'normal' | 'small';
  /** A lucide icon of 16 px, drawn before the words. */
  readonly icon?: ReactNode;
  /** Shown as keys after the words; binding it is the caller's matter. */
  readonly shortcut?: string;
  /** Shows that the answer is awaited and ignores presses meanwhile; the button keeps its focus. */
  readonly busy?: boolean;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button(props: ButtonProps) {
  const {
    kind = 'plain',
    size = 'normal',
    icon,
    shortcut,
    busy = false,
    children,
    className,
    onClick,
    ...rest
  } = props;
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? undefined : onClick}
      className={classes(styles['button'], styles[kind], styles[size], className)}
    >
      {icon}
      <span className={styles['words']}>{children}</span>
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </button>
  );
}
