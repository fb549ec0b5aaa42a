// Opens what the application stands on (store, settings, secrets) and makes the app over it. Where the store cannot be
// opened it asks the person, and goes on with their answer.
import path from 'node:path';
import { createApp, type App } from '../app/create-app.ts';
import type { AppHost } from '../app/host.ts';
import { LoginPath, startedFromDesktop } from '../app/login-path.ts';
import { openDataStore } from '../app/open-data-store.ts';
import { createSecretStore } from '../app/secret-store.ts';
import { SettingsService } from '../app/settings-service.ts';
import { toWireError } from '../base/app-error.ts';
import type { Logger } from '../base/logger.ts';
import type { SecretStore } from '../app/host.ts';
import { findKeychain } from './keychain.ts';
import type { Trouble, TroubleChoice } from './trouble-page.ts';

/** What is needed to open the application. */
export interface ApplicationOptions {
  /** The data folder; it exists. */
  folder: string;
  logger: Logger;
  /** Makes the host over the secrets. */
  hostOver: (secrets: SecretStore) => AppHost;
  /** Asks the person what to do when the store cannot be opened. */
  ask: (trouble: Trouble) => Promise<TroubleChoice>;
}

const WEAK_KEYS =
  'This system has no keychain that Warrant can use: keys you enter are encrypted in a file that only you can read, which ' +
  'protects them from other people, not from programs that run as you.';

type Store = Awaited<ReturnType<typeof openDataStore>>;

/** The application, or undefined when the person chose to quit. */
export async function openApplication(options: ApplicationOptions): Promise<App | undefined> {
  const { folder, logger } = options;
  const [keychain, settings] = await Promise.all([findKeychain(), SettingsService.open(folder)]);
  const store = await openStoreOrAsk(options);
  if (!store) return undefined;
  const secrets = createSecretStore(folder, keychain);
  const host = options.hostOver(secrets);
  host.setTheme(settings.current.theme);
  const loginPath =
    settings.current.loginShellPath && startedFromDesktop(process.env, process.platform)
      ? new LoginPath({ file: path.join(folder, 'login-path'), environment: process.env, logger })
      : undefined;
  // Only a first start cannot wait for the window: its first chat would not have the PATH.
  if (loginPath?.current === null) void loginPath.refresh();
  return createApp({
    host,
    loginPath,
    logger,
    store,
    settings,
    dataFolder: folder,
    outputFolder: path.join(folder, 'outputs'),
    environment: process.env,
    program: 'the window',
    notices:
      secrets.protection === 'file' && settings.current.providers.length > 0
        ? [{ level: 'info', message: WEAK_KEYS }]
        : [],
  });
}

async function openStoreOrAsk({ folder, logger, ask }: ApplicationOptions): Promise<Store | undefined> {
  let startFresh = false;
  for (;;) {
    try {
      return await openDataStore({ folder, thread: 'worker', startFresh });
    } catch (error) {
      logger.error('the store was not opened', error);
      const { code, message } = toWireError(error);
      const isDamaged = code === 'store.damaged';
      const choice = await ask({
        message,
        choices: isDamaged ? ['try-again', 'start-fresh', 'quit'] : ['try-again', 'quit'],
      });
      if (choice === 'quit') return undefined;
      startFresh = choice === 'start-fresh';
    }
  }
}
