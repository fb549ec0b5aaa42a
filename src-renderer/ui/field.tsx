// Text fields with their label, hint and error tied together, safe for input methods.
import { useId, type InputHTMLAttributes, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { classes } from './classes.ts';
import { isComposing } from './is-composing.ts';
import styles from './field.module.css';

export interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Enter, outside of an input method. */
  readonly onEnter?: (() => void) | undefined;
  /** Escape, outside of an input method. Given = the key goes no further. */
  readonly onEscape?: (() => void) | undefined;
  readonly mono?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A bare input; give it an `aria-label`, or use `Field`. */
export function TextInput(props: TextInputProps) {
  const { value, onChange, onEnter, onEscape, mono = false, className, onKeyDown, ...rest } = props;
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (isComposing(event)) return;
    const handler = event.key === 'Enter' ? onEnter : event.key === 'Escape' ? onEscape : undefined;
    if (handler) {
      event.preventDefault();
      event.stopPropagation();
      handler();
    } else onKeyDown?.(event);
  };
  return (
    <input
      type="text"
      spellCheck={false}
      autoComplete="off"
      {...rest}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={press}
      className={classes(styles['input'], mono && styles['mono'], className)}
    />
  );
}

export interface FieldProps extends TextInputProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Shown in place of the hint, spoken when it appears. */
  readonly error?: string | undefined;
}

export function Field({ label, hint, error, ...input }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      <TextInput
        {...input}
        id={id}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={note === undefined ? undefined : noteId}
      />
      {note !== undefined && (
        <p
          id={noteId}
          className={error === undefined ? styles['hint'] : styles['error']}
          role={error === undefined ? undefined : 'alert'}
        >
          {note}
        </p>
      )}
    </div>
  );
}
