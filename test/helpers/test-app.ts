// The whole app over real files and a real database in temporary folders, driven as a window drives it.
import path from 'node:path';
import { createApp, type App, type AppOptions } from '../../src-main/app/create-app.ts';
import type { AppHost, SecretStore } from '../../src-main/app/host.ts';
import { SettingsService } from '../../src-main/app/settings-service.ts';
import type { Logger } from '../../src-main/base/logger.ts';
import type { WarrantBridge } from '../../src-main/contract/api.ts';
import type { EventEnvelope, SessionEvent } from '../../src-main/contract/events.ts';
import type { WireResult } from '../../src-main/contract/errors.ts';
import { createRouter } from '../../src-main/ipc/router.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import { MemoryTransport } from './memory-transport.ts';

export interface TestApp {
  readonly app: App;
  readonly transport: MemoryTransport;
  readonly window: WarrantBridge;
  /** Everything that window 1 was told, in order. */
  readonly events: EventEnvelope[];
  readonly host: AppHost & { notified: string[]; focused: boolean; confirm: AppHost['confirm'] };
  /** Resolves with the first event that fits, past or future; fails after ten seconds. */
  until(fits: (event: SessionEvent) => boolean): Promise<SessionEvent>;
  close(): Promise<void>;
}

const logger: Logger = { info: () => {}, error: () => {} };

/** Starts the app on a data folder; more options replace the defaults. */
export async function startTestApp(dataFolder: string, options: Partial<AppOptions> = {}): Promise<TestApp> {
  const host = testHost();
  const app = createApp({
    host,
    logger,
    store: await openStore({ folder: dataFolder }),
    settings: await SettingsService.open(dataFolder),
    dataFolder,
    outputFolder: path.join(dataFolder, 'outputs'),
    environment: { PATH: process.env['PATH'], HOME: dataFolder },
    program: 'the window',
    ...options,
  });
  const transport = new MemoryTransport();
  createRouter(app, transport);
  const window = transport.window(1);
  const events: EventEnvelope[] = [];
  const waiting = new Set<() => void>();
  window.onEvents((batch) => {
    events.push(...batch);
    for (const look of waiting) look();
  });
  return {
    app,
    transport,
    window,
    events,
    host,
    until: (fits) => untilEvent(events, waiting, fits),
    close: () => app.close(),
  };
}

function untilEvent(
  events: readonly EventEnvelope[],
  waiting: Set<() => void>,
  fits: (event: SessionEvent) => boolean,
): Promise<SessionEvent> {
  return new Promise((resolve, reject) => {
    let seen = 0;
    const look = (): void => {
      for (; seen < events.length; seen++) {
        const envelope = events[seen];
        if (!envelope || envelope.sessionId === null || !fits(envelope.event)) continue;
        end();
        resolve(envelope.event);
        return;
      }
    };
    const timer = setTimeout(() => {
      end();
      const got = events.map((envelope) => envelope.event.type).join(', ');
      reject(new TypeError(`the event did not come; there were: ${got}`));
    }, 10_000);
    const end = (): void => {
      clearTimeout(timer);
      waiting.delete(look);
    };
    waiting.add(look);
    look();
  });
}

function testHost(): TestApp['host'] {
  const keys = new Map<string, string>();
  const secrets: SecretStore = {
    protection: 'file',
    get: (name) => Promise.resolve(keys.get(name) ?? null),
    set: (name, value) => {
      keys.set(name, value);
      return Promise.resolve();
    },
    remove: (name) => {
      keys.delete(name);
      return Promise.resolve();
    },
  };
  const notified: string[] = [];
  return {
    notified,
    focused: true,
    version: '0.0.0-test',
    runtime: 'test',
    secrets,
    nativeFolderDialog: false,
    confirm: null,
    pickFolder: () => Promise.resolve(null),
    openExternal: () => Promise.resolve(),
    openPath: () => Promise.resolve(),
    copyText: () => Promise.resolve(),
    setTitle: () => {},
    setTheme: () => {},
    isFocused() {
      return this.focused;
    },
    notify: (notification) => {
      notified.push(notification.title);
    },
    ready: () => {},
  };
}

/** The value of a result; an error fails the test with its words. */
export function valueOf<T>(result: WireResult<T>): T {
  if (result.ok) return result.value;
  throw new TypeError(`${result.error.code}: ${result.error.message} ${JSON.stringify(result.error.details ?? {})}`);
}

/** The code of a result's error, or `ok`. */
export function codeOf(result: WireResult<unknown>): string {
  return result.ok ? 'ok' : result.error.code;
}
