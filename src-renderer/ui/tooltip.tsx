// Names a control on hover and on keyboard focus, with its shortcut. Never the only place where something is said:
// the control carries its own label.
import type { ReactElement, ReactNode } from 'react';
import { Tooltip as Radix } from 'radix-ui';
import { Kbd } from './kbd.tsx';
import styles from './tooltip.module.css';

export interface TooltipProps {
  readonly text: ReactNode;
  readonly shortcut?: string | undefined;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  /** One element that takes a ref. */
  readonly children: ReactElement;
}

export function Tooltip({ text, shortcut, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles['tooltip']} side={side} sideOffset={6} collisionPadding={8}>
          {text}
          {shortcut !== undefined && <Kbd keys={shortcut} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Stands once around the window; tooltips follow each other without a second wait. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={500} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  );
}
