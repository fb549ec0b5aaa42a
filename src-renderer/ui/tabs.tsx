// Tabs over one area. Arrow keys move between them; the content of the others is not in the page.
import type { ReactNode } from 'react';
import { Tabs as Radix } from 'radix-ui';
import { classes } from './classes.ts';
import styles from './tabs.module.css';

export interface Tab<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

export interface TabsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly tabs: readonly Tab<T>[];
  readonly onChange: (value: T) => void;
  /** A column of tabs at the left, for settings. */
  readonly vertical?: boolean;
  /** Stands at the end of the row of tabs. */
  readonly trailing?: ReactNode;
}

export function Tabs<T extends string>({ label, value, tabs, onChange, vertical = false, trailing }: TabsProps<T>) {
  const choose = (chosen: string): void => {
    const tab = tabs.find((one) => one.value === chosen);
    if (tab) onChange(tab.value);
  };
  return (
    <Radix.Root
      className={classes(styles['tabs'], vertical && styles['vertical'])}
      value={value}
      onValueChange={choose}
      orientation={vertical ? 'vertical' : 'horizontal'}
    >
      <div className={styles['row']}>
        <Radix.List className={styles['list']} aria-label={label}>
          {tabs.map((tab) => (
            <Radix.Trigger key={tab.value} value={tab.value} className={styles['tab']}>
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {trailing}
      </div>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className={styles['content']}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
