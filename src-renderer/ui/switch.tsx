// On or off, at once. Its label may be elsewhere (`labelledBy`) or spoken only (`label`).
import type { Ref } from 'react';
import { Switch as Radix } from 'radix-ui';
import styles from './switch.module.css';

export interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label?: string;
  readonly labelledBy?: string;
  readonly describedBy?: string | undefined;
  readonly disabled?: boolean;
  readonly id?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Switch({ checked, onChange, label, labelledBy, describedBy, disabled = false, id, ref }: SwitchProps) {
  return (
    <Radix.Root
      ref={ref}
      id={id}
      className={styles['switch']}
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
    >
      <Radix.Thumb className={styles['thumb']} />
    </Radix.Root>
  );
}
