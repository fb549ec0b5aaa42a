// A button that is only an icon: its label is its accessible name and its tooltip.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classes } from './classes.ts';
import { Tooltip } from './tooltip.tsx';
import styles from './icon-button.module.css';

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  readonly label: string;
  /** A lucide icon of 16 px. */
  readonly icon: ReactNode;
  readonly shortcut?: string | undefined;
  readonly size?: 'normal' | 'small';
  readonly tooltipSide?: 'top' | 'bottom' | 'left' | 'right';
  readonly ref?: Ref<HTMLButtonElement>;
}

export function IconButton(props: IconButtonProps) {
  const { label, icon, shortcut, size = 'normal', tooltipSide = 'bottom', className, ...rest } = props;
  return (
    <Tooltip text={label} shortcut={shortcut} side={tooltipSide}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={classes(styles['button'], size === 'small' && styles['small'], className)}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
