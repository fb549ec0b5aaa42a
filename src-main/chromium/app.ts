// Stands in for Electron's `app`: life cycle, folders, and the single-instance lock, which is taken before any browser runs.
import { EventEmitter } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import type Electron from 'electron';
import { pages } from './browser-pages.ts';
import { browserSwitches, type HostIdentity, identity, pathOverrides } from './host-state.ts';
import { emitPreventable } from './preventable.ts';
import { type InstanceLock, takeInstanceLock } from './single-instance.ts';
import { windowRegistry } from './window-registry.ts';

type Implemented =
  | 'isPackaged'
  | 'whenReady'
  | 'isReady'
  | 'getName'
  | 'setName'
  | 'getVersion'
  | 'getAppPath'
  | 'getPath'
  | 'setPath'
  | 'requestSingleInstanceLock'
  | 'releaseSingleInstanceLock'
  | 'setAppUserModelId'
  | 'enableSandbox'
  | 'focus'
  | 'quit'
  | 'exit';
type PathName = Parameters<Electron.App['getPath']>[0];

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Emits ready, window-all-closed, before-quit, will-quit, quit, second-instance and web-contents-created. */
class App extends EventEmitter implements Pick<Electron.App, Implemented> {
  readonly isPackaged = false;
  readonly commandLine = {
    /** A switch for the browser; works until the first window opens. */
    appendSwitch(name: string, value = ''): void {
      browserSwitches.set(name, value);
    },
  };
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #isQuitting = false;
  #isExiting = false;
  #lock: InstanceLock | undefined;

  constructor() {
    super();
    pathOverrides.set('userData', path.join(this.getPath('appData'), identity.name));
    windowRegistry.on('added', (window: { webContents: unknown }) => {
      this.emit('web-contents-created', {}, window.webContents);
    });
    windowRegistry.on('all-closed', () => {
      this.#onAllClosed();
    });
    pages.on('browser-gone', (reason: Error) => {
      console.error(reason.message);
    });
  }

  /** For cli.ts: as in Electron, ready comes after the main module has been evaluated. */
  start(): void {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        this.quit();
      });
    }
    queueMicrotask(() => {
      this.#isReady = true;
      this.#ready.resolve();
      this.emit('ready', {}, {});
    });
  }

  /** For cli.ts: who the application is. Called before its main module is loaded. */
  introduce(who: HostIdentity): void {
    Object.assign(identity, who);
    pathOverrides.set('userData', path.join(this.getPath('appData'), who.name));
  }

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  getName(): string {
    return identity.name;
  }

  setName(name: string): void {
    identity.name = name;
  }

  getVersion(): string {
    return identity.version;
  }

  getAppPath(): string {
    return identity.path;
  }

  getPath(name: PathName): string {
    const known = pathOverrides.get(name);
    if (known !== undefined) return known;
    if (name === 'home') return os.homedir();
    if (name === 'temp') return os.tmpdir();
    if (name === 'appData') return process.env['XDG_CONFIG_HOME'] ?? path.join(os.homedir(), '.config');
    if (name === 'sessionData') return this.getPath('userData');
    if (name === 'logs') return path.join(this.getPath('userData'), 'logs');
    return path.join(os.homedir(), name.charAt(0).toUpperCase() + name.slice(1));
  }

  setPath(name: string, folder: string): void {
    pathOverrides.set(name, folder);
  }

  /** False when another instance holds the folder `userData`; it has then been handed argv, cwd and `additionalData`. */
  requestSingleInstanceLock(additionalData?: Record<string, unknown>): boolean {
    this.#lock ??= takeInstanceLock(this.getPath('userData'), {
      message: { argv: process.argv, cwd: process.cwd(), additionalData: additionalData ?? {} },
      onSecond: ({ argv, cwd, additionalData: data }) => {
        this.emit('second-instance', {}, argv, cwd, data);
      },
    });
    return this.#lock !== undefined;
  }

  releaseSingleInstanceLock(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }

  setAppUserModelId(_id: string): void {
    // Windows' task bar groups the browser's windows by the browser's own id.
  }

  enableSandbox(): void {
    // Every page of the browser is sandboxed; browser-process.ts says when it cannot be.
  }

  focus(): void {
    // A window is brought to the front by itself; there is no application above it.
  }

  quit(): void {
    if (this.#isQuitting || emitPreventable(this, 'before-quit')) return;
    this.#isQuitting = true;
    for (const window of windowRegistry.all()) window.close();
    if (windowRegistry.all().length > 0) {
      // A window's close was prevented, and the quit with it.
      this.#isQuitting = false;
      return;
    }
    if (emitPreventable(this, 'will-quit')) this.#isQuitting = false;
    else this.exit(0);
  }

  exit(exitCode = 0): void {
    if (this.#isExiting) return;
    this.#isExiting = this.#isQuitting = true;
    for (const window of windowRegistry.all()) window.destroy();
    this.emit('quit', {}, exitCode);
    const end = (): void => {
      this.releaseSingleInstanceLock();
      process.exit(exitCode);
    };
    pages.close().then(end, end);
  }

  #onAllClosed(): void {
    if (this.#isQuitting) return;
    if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed');
    else this.quit();
  }
}

/** Electron's `app`, as far as it is used. */
export const app = new App();
