// The product's mark: a seal.
import styles from './seal.module.css';

export interface SealProps {
  readonly size?: number;
}

export function Seal({ size = 16 }: SealProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" className={styles['seal']}>
      <circle cx="8" cy="8" r="6.75" className={styles['ring']} />
      <circle cx="8" cy="8" r="3.25" className={styles['core']} />
    </svg>
  );
}
