// What the app asks of the program around it: desktop gives the real thing, headless one without a window.
import type { KeyState } from '../contract/models.ts';

/** Where keys of model services are kept. A key never leaves main and is never written to the environment. */
export interface SecretStore {
  /** How stored keys are protected; `none` = this program cannot keep keys. */
  readonly protection: KeyState['protection'];
  /** The key, or null when none is stored. Code secret.unreadable: it is stored, but not for this program. */
  get(name: string): Promise<string | null>;
  /** Stores a key. Code secret.unreadable where this program cannot keep keys. */
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Something that wants attention while no window is in front. */
export interface Notification {
  readonly title: string;
  readonly body: string;
}

/** A question that is put to the person outside of any page. */
export interface HostQuestion {
  readonly title: string;
  readonly message: string;
  /** What the answer is about, to be shown whole and with hidden characters made visible. */
  readonly verbatim: string;
  /** Label of the button that says yes. */
  readonly accept: string;
}

export interface AppHost {
  readonly version: string;
  /** For people: `Electron 45`, `Chromium 156`, `terminal`. */
  readonly runtime: string;
  readonly secrets: SecretStore;
  /** The system has a dialog for picking a folder. */
  readonly nativeFolderDialog: boolean;
  /** Asks the person; true = yes. null = this program has no question out of a page's reach. */
  readonly confirm: ((question: HostQuestion) => Promise<boolean>) | null;
  /** The picked folder, or null when the person cancelled. */
  pickFolder(): Promise<string | null>;
  /** Opens a checked https or mailto address outside. */
  openExternal(url: string): Promise<void>;
  /** Shows a folder in the system's file manager. */
  openPath(path: string): Promise<void>;
  copyText(text: string): Promise<void>;
  setTitle(windowId: number, title: string): void;
  setTheme(theme: 'system' | 'light' | 'dark'): void;
  /** Whether a window of ours is in front. */
  isFocused(): boolean;
  notify(notification: Notification): void;
  /** Tells that a window is usable, `sinceStartMs` after the process began. */
  ready(sinceStartMs: number): void;
}
