// A dialog over the window: focus stays inside, Esc and the cross close it, focus returns to where it came from.
import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { classes } from './classes.ts';
import { IconButton } from './icon-button.tsx';
import { useReturnFocus } from './use-return-focus.ts';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly title: string;
  /** One sentence under the title. */
  readonly description?: ReactNode;
  readonly size?: 'small' | 'medium' | 'large';
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Answers, right-aligned under the content. */
  readonly footer?: ReactNode;
  /** Called as it opens; `preventDefault` and focus something else than the content's first control. */
  readonly onOpenAutoFocus?: (event: Event) => void;
}

/** Begins at the first control of the content, or at the dialog itself: never at the cross, whose name would pop up. */
function focusContent(event: Event): void {
  event.preventDefault();
  const dialog = event.currentTarget;
  if (!(dialog instanceof HTMLElement)) return;
  const control = dialog.querySelector<HTMLElement>(
    '[data-dialog-content] :is(input, textarea, button, [tabindex="0"])',
  );
  (control ?? dialog).focus();
}

export function Dialog(props: DialogProps) {
  const { title, description, size = 'medium', onClose, children, footer, onOpenAutoFocus } = props;
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles['scrim']} />
        <Radix.Content
          className={classes(styles['dialog'], styles[size])}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onOpenAutoFocus={onOpenAutoFocus ?? focusContent}
          onCloseAutoFocus={returnFocus}
        >
          <header className={styles['head']}>
            <Radix.Title className={styles['title']}>{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close" shortcut="Esc" icon={<X size={16} aria-hidden="true" />} />
            </Radix.Close>
          </header>
          {description !== undefined && (
            <Radix.Description className={styles['description']}>{description}</Radix.Description>
          )}
          <div className={styles['content']} data-dialog-content>
            {children}
          </div>
          {footer !== undefined && <footer className={styles['foot']}>{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
