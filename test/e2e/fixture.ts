// Starts the built application for one test, on real Electron where its binary is here, else on the Chromium host, and gives
// its page to Playwright. Each test has its own data, home and project folders; nothing of the machine's is touched.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  _electron,
  type Browser,
  chromium,
  type ElectronApplication,
  expect,
  type Page,
  test as base,
} from '@playwright/test';

export { expect };

const root = path.resolve(import.meta.dirname, '../..');
const START_LIMIT_MS = 120_000;
const PAGE_ADDRESS = /^(https:\/\/(main|trouble)\.app\.invalid|app:\/\/(main|trouble))\/index\.html/;

/** Path of Electron's executable, or undefined where it was never fetched. */
export const electronPath = findElectron();

/** What a start of the application may be given. */
export interface StartOptions {
  /** Folder named on the command line; the test's project when missing, null for none. */
  folder?: string | null;
  /** Further environment; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
}

/** The application of one test. It can be started, ended in several ways, and started again on the same data. */
export class Warrant {
  /** Private folders of this test, made empty. */
  readonly data: string;
  readonly home: string;
  readonly project: string;
  readonly #top: string;
  #page: Page | undefined;
  #browser: Browser | undefined;
  #electron: ElectronApplication | undefined;
  #process: ChildProcess | undefined;
  #output = '';

  constructor() {
    this.#top = mkdtempSync(path.join(os.tmpdir(), 'warrant-e2e-'));
    this.data = path.join(this.#top, 'data');
    this.home = path.join(this.#top, 'home');
    this.project = path.join(this.#top, 'project');
    for (const folder of [this.data, this.home, this.project]) mkdirSync(folder, { mode: 0o700 });
  }

  /** The page of the window. */
  get page(): Page {
    if (!this.#page) throw new Error('The application is not running');
    return this.#page;
  }

  /** The main process. */
  get process(): ChildProcess {
    const found = this.#process ?? this.#electron?.process();
    if (!found) throw new Error('The application is not running');
    return found;
  }

  /** What the application has printed so far. */
  get output(): string {
    return this.#output;
  }

  /** Starts the application and waits for its page. */
  async start(options: StartOptions = {}): Promise<Page> {
    const args = this.arguments(options);
    const env = this.environment(options.env);
    this.#page = electronPath === undefined ? await this.#startHost(args, env) : await this.#startElectron(args, env);
    return this.#page;
  }

  /** Ends it as a system does (SIGTERM), and waits until its process is gone. Gives the exit code. */
  async close(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  /** Closes the window as its user does, and waits until the process is gone. Gives the exit code. */
  async closeWindow(): Promise<number | null> {
    const { process: child } = this;
    const gone = exitOf(child);
    await this.page.close({ runBeforeUnload: false });
    const code = await gone;
    await this.#forget();
    return code;
  }

  /** Ends it at once (kill -9), as a crash or a power cut does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Command line of a start: what comes after the executable. */
  arguments(options: StartOptions = {}): string[] {
    const folder = options.folder === undefined ? this.project : options.folder;
    return [root, ...(folder === null ? [] : [`--folder=${folder}`])];
  }

  /** Environment of a start: the machine's, with every folder turned to this test's. */
  environment(more: Record<string, string | undefined> = {}): Record<string, string> {
    const env: Record<string, string | undefined> = {
      ...process.env,
      WARRANT_DATA: this.data,
      HOME: this.home,
      XDG_CONFIG_HOME: path.join(this.home, '.config'),
      XDG_DATA_HOME: path.join(this.home, '.local/share'),
      XDG_CACHE_HOME: path.join(this.home, '.cache'),
      XDG_STATE_HOME: path.join(this.home, '.local/state'),
      ...more,
    };
    return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  /** Runs the built command on the same data, to its end. */
  command(words: string[]): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(process.execPath, [path.join(root, 'out/main/headless.js'), ...words], {
      encoding: 'utf8',
      env: this.environment(),
      timeout: START_LIMIT_MS,
    });
  }

  /** Ends what still runs and removes the folders. */
  async dispose(): Promise<void> {
    if (this.#page) await this.kill();
    rmSync(this.#top, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  async #startElectron(args: string[], env: Record<string, string>): Promise<Page> {
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const app = await _electron.launch({ executablePath: electronPath ?? '', args: [...sandbox, ...args], env });
    this.#electron = app;
    this.#keepOutput(app.process());
    return app.firstWindow();
  }

  async #startHost(args: string[], env: Record<string, string>): Promise<Page> {
    // The port is for the tests alone; the product opens none.
    const hostEnv = { ...env, WARRANT_HEADLESS: '1', WARRANT_CHROMIUM_FLAGS: '--remote-debugging-port=0' };
    const portFile = path.join(this.data, 'window/chromium/DevToolsActivePort');
    rmSync(portFile, { force: true });
    const child = spawn(process.execPath, [path.join(root, 'src-main/chromium/cli.ts'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: hostEnv,
    });
    this.#process = child;
    this.#keepOutput(child);
    const [port, address] = await this.#until('the debugging port', () => {
      const lines = existsSync(portFile) ? readFileSync(portFile, 'utf8').split('\n') : [];
      return lines.length === 2 ? lines : undefined;
    });
    const url = `ws://127.0.0.1:${String(port)}${String(address)}`;
    // Without Playwright's own emulation: the application's theme and size are part of what is tested.
    this.#browser = await chromium.connectOverCDP(url, { noDefaults: true });
    const [context] = this.#browser.contexts();
    return this.#until('the window', () => context?.pages().find((page) => PAGE_ADDRESS.test(page.url())));
  }

  #keepOutput(child: ChildProcess): void {
    this.#output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString('utf8');
      });
    }
  }

  async #until<T>(what: string, look: () => T | undefined): Promise<T> {
    const end = Date.now() + START_LIMIT_MS;
    while (Date.now() < end) {
      const found = look();
      if (found !== undefined) return found;
      if (this.#process && this.#process.exitCode !== null) break;
      await pause();
    }
    throw new Error(`There was no sign of ${what}. The application printed:\n${this.#output}`);
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const { process: child } = this;
    const gone = exitOf(child);
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const code = await gone;
    await this.#forget();
    return code;
  }

  async #forget(): Promise<void> {
    await this.#browser?.close().catch(() => undefined);
    this.#browser = this.#electron = this.#process = this.#page = undefined;
  }
}

/** `warrant` is ready to be started; `page` is the page of a started one, with the test's project opened. */
export const test = base.extend<{ warrant: Warrant; page: Page }>({
  warrant: async ({}, use, testInfo) => {
    const warrant = new Warrant();
    try {
      await use(warrant);
    } finally {
      if (testInfo.status !== testInfo.expectedStatus && warrant.output !== '') {
        await testInfo.attach('output of the application', { body: warrant.output, contentType: 'text/plain' });
      }
      await warrant.dispose();
    }
  },
  page: async ({ warrant }, use) => {
    await use(await warrant.start());
  },
});

/** Resolves to the exit code of a process, which may have ended already; null when a signal ended it. */
export function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', resolve);
  });
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
}

function findElectron(): string | undefined {
  const home = path.join(root, 'node_modules/electron');
  const named = path.join(home, 'path.txt');
  if (!existsSync(named)) return undefined;
  const file = path.join(home, 'dist', readFileSync(named, 'utf8').trim());
  return existsSync(file) ? file : undefined;
}
