// A keyboard shortcut as keys.
import { shortcutKeys } from './shortcut-text.ts';
import styles from './kbd.module.css';

export interface KbdProps {
  /** Joined by plus: `Ctrl+K`. */
  readonly keys: string;
}

export function Kbd({ keys }: KbdProps) {
  return <kbd className={styles['kbd']}>{shortcutKeys(keys).join(' ')}</kbd>;
}
