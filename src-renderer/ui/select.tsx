// One choice out of a few, as a control with its present value; opens a menu.
import { ChevronDown } from 'lucide-react';
import { classes } from './classes.ts';
import { Menu, MenuChoices, type Choice } from './menu.tsx';
import styles from './select.module.css';

export interface SelectProps<T extends string> {
  /** Spoken before the value; shown elsewhere. */
  readonly label: string;
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChange: (value: T) => void;
  readonly kind?: 'box' | 'pill';
  readonly disabled?: boolean;
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom';
  /** Shown in place of the chosen label. */
  readonly shown?: string;
}

export function Select<T extends string>(props: SelectProps<T>) {
  const { label, value, choices, onChange, kind = 'box', disabled = false, align = 'start', side = 'bottom' } = props;
  const shown = props.shown ?? choices.find((choice) => choice.value === value)?.label ?? value;
  return (
    <Menu
      align={align}
      side={side}
      trigger={
        <button
          type="button"
          className={classes(styles['select'], styles[kind])}
          disabled={disabled}
          aria-label={`${label}: ${shown}`}
        >
          <span className={styles['value']}>{shown}</span>
          <ChevronDown size={14} aria-hidden="true" />
        </button>
      }
    >
      <MenuChoices value={value} choices={choices} onChange={onChange} />
    </Menu>
  );
}
