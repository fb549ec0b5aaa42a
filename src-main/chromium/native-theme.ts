// Stands in for Electron's `nativeTheme`: the system's scheme as the pages report it, and the application's override.
import { EventEmitter } from 'node:events';
import type Electron from 'electron';

type ThemeSource = Electron.NativeTheme['themeSource'];

/** Emits `updated` when the system's scheme or the override changes. */
class NativeTheme extends EventEmitter implements Pick<Electron.NativeTheme, 'shouldUseDarkColors' | 'themeSource'> {
  #source: ThemeSource = 'system';
  #pageIsDark = false;

  get shouldUseDarkColors(): boolean {
    return this.#source === 'system' ? this.#pageIsDark : this.#source === 'dark';
  }

  get themeSource(): ThemeSource {
    return this.#source;
  }

  set themeSource(source: ThemeSource) {
    if (source === this.#source) return;
    this.#source = source;
    this.emit('updated');
  }

  /** A page saw its scheme: with no override that is the system's. */
  reportScheme(dark: boolean): void {
    if (dark === this.#pageIsDark) return;
    this.#pageIsDark = dark;
    this.emit('updated');
  }
}

/** Electron's `nativeTheme`, as far as it is used. */
export const nativeTheme = new NativeTheme();

/** The media features a page is to see: empty values leave them to the system. */
export function themeMedia(): { name: string; value: string }[] {
  const { themeSource } = nativeTheme;
  return [{ name: 'prefers-color-scheme', value: themeSource === 'system' ? '' : themeSource }];
}
