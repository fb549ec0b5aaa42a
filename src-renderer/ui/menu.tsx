// Menus that hang from a control: commands, or one choice out of several.
import type { ReactElement, ReactNode } from 'react';
import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { Kbd } from './kbd.tsx';
import { classes } from './classes.ts';
import styles from './menu.module.css';

export interface MenuProps {
  /** One element that takes a ref: the control. */
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'center' | 'end';
  readonly side?: 'top' | 'bottom';
  readonly onOpenChange?: (open: boolean) => void;
  /** Called when the menu closes; `preventDefault` keeps the focus from returning to the control. */
  readonly onCloseAutoFocus?: (event: Event) => void;
  readonly children: ReactNode;
}

export function Menu(props: MenuProps) {
  const { trigger, align = 'start', side = 'bottom', onOpenChange, onCloseAutoFocus, children } = props;
  return (
    <Radix.Root {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles['menu']}
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          {...(onCloseAutoFocus ? { onCloseAutoFocus } : {})}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface MenuItemProps {
  readonly icon?: ReactNode;
  readonly shortcut?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

export function MenuItem({ icon, shortcut, danger = false, disabled = false, onSelect, children }: MenuItemProps) {
  return (
    <Radix.Item
      className={classes(styles['item'], danger && styles['danger'])}
      disabled={disabled}
      onSelect={() => onSelect()}
    >
      <span className={styles['icon']}>{icon}</span>
      <span className={styles['words']}>{children}</span>
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </Radix.Item>
  );
}

export function MenuSeparator() {
  return <Radix.Separator className={styles['separator']} />;
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  /** A second, quieter line. */
  readonly hint?: string;
  readonly disabled?: boolean;
}

export interface MenuChoicesProps<T extends string> {
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChange: (value: T) => void;
}

/** Radio items: one of several, the present one ticked. */
export function MenuChoices<T extends string>({ value, choices, onChange }: MenuChoicesProps<T>) {
  return (
    <Radix.RadioGroup value={value}>
      {choices.map((choice) => (
        <Radix.RadioItem
          key={choice.value}
          value={choice.value}
          disabled={choice.disabled ?? false}
          className={styles['item']}
          onSelect={() => onChange(choice.value)}
        >
          <span className={styles['icon']}>
            <Radix.ItemIndicator>
              <Check size={14} aria-hidden="true" />
            </Radix.ItemIndicator>
          </span>
          <span className={styles['words']}>
            {choice.label}
            {choice.hint !== undefined && <span className={styles['hint']}>{choice.hint}</span>}
          </span>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}
