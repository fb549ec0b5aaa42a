// Starts the browser with a debugging pipe and no listening port, and waits for a former one on the same profile to be gone.
// Leaves pages to browser-pages.ts. The pipe's end is the browser's end: it cannot outlive this process.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readlinkSync, statfsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { CdpConnection } from './cdp.ts';
import { HostError } from './host-error.ts';

/** How to start a browser. */
export interface BrowserOptions {
  executable: string;
  /** The profile's folder: made with mode 0700 when missing. */
  profile: string;
  headless: boolean;
  /** CSS pixels of the first window. */
  width: number;
  height: number;
  /** Screen position of the first window; left to the window manager when missing. */
  position?: { x: number; y: number };
  /** Further switches, verbatim. */
  flags: readonly string[];
}

/** A running browser: its process, its pipe, and the end of what it printed (for an error's text). */
export interface RunningBrowser {
  process: ChildProcess;
  cdp: CdpConnection;
  lastOutput(): string;
}

const OUTPUT_KEPT_CHARS = 4_000;
const SMALL_SHARED_MEMORY_BYTES = 256 * 1024 * 1024;
const FORMER_BROWSER_GRACE_MS = 5_000;

/** Switches that each start of this browser has, also the start that only opens a further window. */
export function commonArguments(options: BrowserOptions): string[] {
  return [
    `--user-data-dir=${options.profile}`,
    '--no-first-run',
    '--no-default-browser-check',
    `--window-size=${String(options.width)},${String(options.height)}`,
    ...(options.position ? [`--window-position=${String(options.position.x)},${String(options.position.y)}`] : []),
    // The sandbox needs a user: a browser refuses to start as root with it. --test-type hides the banner about it.
    ...(process.getuid?.() === 0 ? ['--no-sandbox', '--test-type'] : []),
  ];
}

/** The whole command line of the first start. */
export function browserArguments(options: BrowserOptions): string[] {
  return [
    '--remote-debugging-pipe',
    ...commonArguments(options),
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-domain-reliability',
    '--disable-sync',
    '--disable-quic',
    '--disable-extensions',
    '--disable-default-apps',
    '--disable-breakpad',
    '--disable-search-engine-choice-screen',
    '--deny-permission-prompts',
    '--no-pings',
    '--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,GlobalMediaControls',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--force-webrtc-ip-handling-policy',
    '--password-store=basic',
    '--use-mock-keychain',
    '--log-level=3',
    '--class=Warrant',
    ...(hasSmallSharedMemory() ? ['--disable-dev-shm-usage'] : []),
    ...options.flags,
    ...(options.headless ? ['--headless', '--hide-scrollbars', 'about:blank'] : ['--app=data:text/html,']),
  ];
}

/**
 * Starts the browser. Its command line has no listening port unless `flags` ask for one.
 * Rejects with HostError `browser-failed` when a former browser holds the profile and does not end.
 */
export async function startBrowser(options: BrowserOptions): Promise<RunningBrowser> {
  mkdirSync(options.profile, { recursive: true, mode: 0o700 });
  await waitForFormerBrowser(options.profile);
  const child = spawn(options.executable, browserArguments(options), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: withoutSecrets(process.env),
  });
  const [, , errors, commands, answers] = child.stdio;
  if (!(commands instanceof Writable) || !(answers instanceof Readable)) {
    throw new HostError('browser-failed', `${options.executable} was started without its debugging pipe`);
  }
  const cdp = new CdpConnection(commands, answers);
  child.on('error', (error) => {
    cdp.close(new HostError('browser-failed', `${options.executable} cannot be started: ${error.message}`, error));
  });
  let output = '';
  errors?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-OUTPUT_KEPT_CHARS);
  });
  return { process: child, cdp, lastOutput: () => output.trim() };
}

/** An environment for the browser, which has no use for keys: names that look like one are left out. */
export function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i.test(name)),
  );
}

/**
 * A browser whose host was killed ends by itself within seconds. Started before that, the new one would hand its window
 * over to it and exit, so it is waited for; one that hangs is ended, as the caller holds the profile's lock.
 */
async function waitForFormerBrowser(profile: string): Promise<void> {
  const pid = profileHolder(profile);
  if (pid === undefined) return;
  const end = Date.now() + FORMER_BROWSER_GRACE_MS;
  while (Date.now() < end) {
    if (!isBrowserOf(pid, profile)) return;
    await delay(25);
  }
  process.kill(pid, 'SIGKILL');
  await delay(200);
}

function profileHolder(profile: string): number | undefined {
  try {
    const pid = Number(/-(\d+)$/.exec(readlinkSync(path.join(profile, 'SingletonLock')))?.[1]);
    return Number.isInteger(pid) && isBrowserOf(pid, profile) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isBrowserOf(pid: number, profile: string): boolean {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes(`--user-data-dir=${profile}`);
  } catch {
    return false;
  }
}

function hasSmallSharedMemory(): boolean {
  try {
    const { blocks, bsize } = statfsSync('/dev/shm');
    return blocks * bsize < SMALL_SHARED_MEMORY_BYTES;
  } catch {
    return false;
  }
}
