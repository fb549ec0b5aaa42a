// Asks the person before a window may set a command that main runs for a key. The question is put outside of the page,
// with the exact command and the address that its key goes to; where the system has no such question, the window cannot
// set one. Invariant: a command that a window sent is stored only after a yes to that very command at that address.
import { AppError } from '../base/app-error.ts';
import type { ProviderSetting } from '../contract/models.ts';
import type { AppHost } from './host.ts';
import type { SettingsService } from './settings-service.ts';

/** What can be read whole in a system's question. */
const LONGEST_COMMAND = 400;

export interface KeyCommandConsentOptions {
  readonly host: Pick<AppHost, 'confirm'>;
  readonly settings: SettingsService;
  readonly settingsFile: string;
}

export class KeyCommandConsent {
  readonly #options: KeyCommandConsentOptions;
  #asking = false;

  constructor(options: KeyCommandConsentOptions) {
    this.#options = options;
  }

  /** Resolves when this service may be stored as it is. Code settings.command-refused; nothing was changed then. */
  async check(provider: ProviderSetting): Promise<void> {
    if (provider.keyCommand === '' || this.#isKnown(provider)) return;
    const { host, settingsFile } = this.#options;
    if (!host.confirm) {
      throw refused(
        `A command that prints a key cannot be set in the window on this system. Quit Warrant, write it as "keyCommand" of this service into ${settingsFile}, and start again. Nothing was changed.`,
      );
    }
    if (provider.keyCommand.length > LONGEST_COMMAND) {
      throw refused(
        `This command is too long to be asked about: ${String(LONGEST_COMMAND)} characters fit. Put it into a script and name that. Nothing was changed.`,
      );
    }
    if (this.#asking) throw refused('Answer the question about the other command first. Nothing was changed.');
    this.#asking = true;
    try {
      const yes = await host.confirm({
        title: 'Run this command for a key?',
        message: `Warrant will run this command whenever it needs the key of “${provider.label}”, and send what it prints to ${provider.baseUrl}.`,
        verbatim: provider.keyCommand,
        accept: 'Allow this command',
      });
      if (!yes) throw refused('You did not allow the command. Nothing was changed.');
    } finally {
      this.#asking = false;
    }
  }

  /** Stored already, for the same service at the same address. */
  #isKnown({ id, wire, baseUrl, keyCommand }: ProviderSetting): boolean {
    return this.#options.settings.current.providers.some(
      (known) => known.id === id && known.wire === wire && known.baseUrl === baseUrl && known.keyCommand === keyCommand,
    );
  }
}

function refused(message: string): AppError {
  return new AppError('settings.command-refused', message);
}
