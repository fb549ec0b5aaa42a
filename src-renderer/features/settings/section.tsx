// The form of every settings page: sections with a heading, rows with a label, a hint and one control.
import { useId, type ReactNode } from 'react';
import styles from './section.module.css';

export interface PageProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function Page({ title, children }: PageProps) {
  return (
    <div className={styles['page']}>
      <h2 className="visually-hidden">{title}</h2>
      {children}
    </div>
  );
}

export interface SectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, about, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <header className={styles['head']}>
        <h3 id={id}>{title}</h3>
        {actions}
      </header>
      {about !== undefined && <p className={styles['about']}>{about}</p>}
      {children}
    </section>
  );
}

export interface SettingRowProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Gets the id of the label, to be named by it. */
  readonly control: (labelId: string) => ReactNode;
}

export function SettingRow({ label, hint, control }: SettingRowProps) {
  const id = useId();
  return (
    <div className={styles['row']}>
      <div className={styles['words']}>
        <span id={id} className={styles['label']}>
          {label}
        </span>
        {hint !== undefined && <span className={styles['hint']}>{hint}</span>}
      </div>
      {control(id)}
    </div>
  );
}
