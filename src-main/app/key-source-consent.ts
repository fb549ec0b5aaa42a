// Asks the person before a window may set where main gets a key from: a command that it runs, or a variable that it sends.
// The question is put outside of the page, with the exact command or name and the address that the key goes to; where the
// system has no such question, the window cannot set it. Invariant: a source that a window sent is stored only after a
// yes to that very source at that address. A service's usual variable at the service's own address needs none.
import { AppError } from '../base/app-error.ts';
import { KNOWN_SERVICES } from '../contract/known-services.ts';
import type { ProviderSetting } from '../contract/models.ts';
import type { AppHost, HostQuestion } from './host.ts';
import type { SettingsService } from './settings-service.ts';

/** What can be read whole in a system's question. */
const LONGEST_COMMAND = 400;

export interface KeySourceConsentOptions {
  readonly host: Pick<AppHost, 'confirm'>;
  readonly settings: SettingsService;
  readonly settingsFile: string;
}

export class KeySourceConsent {
  readonly #options: KeySourceConsentOptions;
  #asking = false;

  constructor(options: KeySourceConsentOptions) {
    this.#options = options;
  }

  /** Resolves when this service may be stored as it is. Code settings.command-refused; nothing was changed then. */
  async check(provider: ProviderSetting): Promise<void> {
    if (provider.keyCommand !== '' && !this.#isKnown(provider, 'keyCommand')) {
      if (provider.keyCommand.length > LONGEST_COMMAND) {
        throw refused(
          `This command is too long to be asked about: ${String(LONGEST_COMMAND)} characters fit. Put it into a script and name that. Nothing was changed.`,
        );
      }
      await this.#ask('keyCommand', {
        title: 'Run this command for a key?',
        message: `Warrant will run this command whenever it needs the key of “${provider.label}”, and send what it prints to ${provider.baseUrl}.`,
        verbatim: provider.keyCommand,
        accept: 'Allow this command',
      });
    }
    if (provider.keyVariable === '' || isUsual(provider) || this.#isKnown(provider, 'keyVariable')) return;
    await this.#ask('keyVariable', {
      title: 'Send this variable as a key?',
      message: `Warrant will send what this environment variable holds to ${provider.baseUrl}, as the key of “${provider.label}”.`,
      verbatim: provider.keyVariable,
      accept: 'Allow this variable',
    });
  }

  async #ask(field: Source, question: HostQuestion): Promise<void> {
    const { host, settingsFile } = this.#options;
    if (!host.confirm) {
      throw refused(
        `${WORDS[field].what} cannot be set in the window on this system. Quit Warrant, write it as "${field}" of this service into ${settingsFile}, and start again. Nothing was changed.`,
      );
    }
    if (this.#asking) throw refused('Answer the question about the other key first. Nothing was changed.');
    this.#asking = true;
    try {
      if (!(await host.confirm(question))) throw refused(`${WORDS[field].denied} Nothing was changed.`);
    } finally {
      this.#asking = false;
    }
  }

  /** Stored already, for the same service at the same address. */
  #isKnown(provider: ProviderSetting, field: Source): boolean {
    return this.#options.settings.current.providers.some((known) =>
      (['id', 'wire', 'baseUrl', field] as const).every((each) => known[each] === provider[each]),
    );
  }
}

type Source = 'keyCommand' | 'keyVariable';

const WORDS: Readonly<Record<Source, { what: string; denied: string }>> = {
  keyCommand: { what: 'A command that prints a key', denied: 'You did not allow the command.' },
  keyVariable: {
    what: 'A variable that is not the usual one of the service at its own address',
    denied: 'You did not allow the variable.',
  },
};

/** The variable that everybody keeps this service's key in, at the service's own address. */
function isUsual({ wire, baseUrl, keyVariable }: ProviderSetting): boolean {
  const address = baseUrl.replace(/\/+$/, '');
  return KNOWN_SERVICES.some(
    (known) => known.wire === wire && known.baseUrl === address && known.keyVariable === keyVariable,
  );
}

function refused(message: string): AppError {
  return new AppError('settings.command-refused', message);
}
