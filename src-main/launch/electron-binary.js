// Electron's binary: finds it, or fetches it once through Electron's own installer. A failure is remembered, so that a
// machine that cannot reach the download starts without waiting the next time.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { cacheFolder } from './data-folder.js';
import { installFolder } from './install-folder.js';

const PROBE_LIMIT_MS = 4_000;
const FETCH_LIMIT_MS = 15 * 60_000;
const PROGRESS_EVERY_MS = 5_000;
const DEFAULT_MIRROR = 'https://github.com/electron/electron/releases/download/';

/**
 * @typedef {{ path: string } | { reason: string }} ElectronResult
 * The executable, or why there is none, as a part of a sentence.
 */

/**
 * The executable of the installed package, or undefined when its binary was never fetched.
 * @param {string} [folder]
 * @returns {string | undefined}
 */
export function findElectron(folder = installFolder) {
  const home = path.join(folder, 'node_modules', 'electron');
  const named = readText(path.join(home, 'path.txt'));
  if (named === undefined) return undefined;
  const file = path.join(home, 'dist', named.trim());
  return existsSync(file) ? file : undefined;
}

/**
 * Finds the binary, or fetches it where that was not tried before for this version (or `retry` asks for it).
 * @param {{ node: string, retry: boolean }} options
 * @returns {Promise<ElectronResult>}
 */
export async function obtainElectron({ node, retry }) {
  const found = findElectron();
  if (found) return { path: found };
  const version = electronVersion();
  if (version === undefined) return { reason: 'Electron is not installed' };
  if (process.env['ELECTRON_SKIP_BINARY_DOWNLOAD'] && !retry) {
    return { reason: 'ELECTRON_SKIP_BINARY_DOWNLOAD is set' };
  }
  const memory = path.join(cacheFolder(), 'electron-fetch.json');
  if (retry) rmSync(memory, { force: true });
  const failedBefore = rememberedFailure(memory, version);
  if (failedBefore !== undefined) {
    return {
      reason: `Electron ${version} could not be fetched before (${failedBefore}; --fetch-electron tries again)`,
    };
  }
  const failure = (await unreachable()) ?? (await fetchBinary(node, version));
  const fetched = failure === undefined ? findElectron() : undefined;
  if (fetched) return { path: fetched };
  const reason = failure ?? 'the installer left no binary';
  remember(memory, { version, reason });
  return { reason: `Electron ${version} could not be fetched (${reason})` };
}

/**
 * True when Electron can use its sandbox here. Distributions that keep user namespaces from programs in a home folder
 * stop Electron at its start, unless its helper belongs to root.
 * @param {string} executable
 * @returns {boolean}
 */
export function canSandboxElectron(executable) {
  if (process.platform !== 'linux') return true;
  const helper = statSync(path.join(path.dirname(executable), 'chrome-sandbox'), { throwIfNoEntry: false });
  if (helper && helper.uid === 0 && (helper.mode & 0o4000) !== 0) return true;
  const isSet = (/** @type {string} */ name, /** @type {string} */ value) =>
    readText(`/proc/sys/kernel/${name}`)?.trim() === value;
  return !isSet('unprivileged_userns_clone', '0') && !isSet('apparmor_restrict_unprivileged_userns', '1');
}

/**
 * Version of the installed package, or undefined.
 * @returns {string | undefined}
 */
export function electronVersion() {
  const text = readText(path.join(installFolder, 'node_modules', 'electron', 'package.json'));
  if (text === undefined) return undefined;
  const { version } = /** @type {{ version?: unknown }} */ (JSON.parse(text));
  return typeof version === 'string' ? version : undefined;
}

/**
 * A quick look whether the download's host answers: undefined when it does, or when a proxy makes that unknowable.
 * @returns {Promise<string | undefined>}
 */
function unreachable() {
  const env = process.env;
  if (env['HTTPS_PROXY'] ?? env['https_proxy']) return Promise.resolve(undefined);
  const mirror = env['ELECTRON_MIRROR'] ?? env['npm_config_electron_mirror'] ?? DEFAULT_MIRROR;
  if (!mirror.startsWith('https:')) return Promise.resolve(undefined);
  const { host } = new URL(mirror);
  return new Promise((resolve) => {
    const request = https.request(mirror, { method: 'HEAD', timeout: PROBE_LIMIT_MS }, (response) => {
      response.resume();
      resolve(undefined);
    });
    const limit = setTimeout(() => request.destroy(new Error('timeout')), PROBE_LIMIT_MS);
    request.on('close', () => {
      clearTimeout(limit);
    });
    request.on('error', () => {
      resolve(`${host} cannot be reached`);
    });
    request.end();
  });
}

/**
 * Runs the installer; its words and the time gone are the progress. Undefined when it went well.
 * @param {string} node
 * @param {string} version
 * @returns {Promise<string | undefined>}
 */
function fetchBinary(node, version) {
  const startedMs = Date.now();
  const seconds = () => Math.round((Date.now() - startedMs) / 1000);
  console.error(`Fetching Electron ${version} once (about 120 MB) by its own installer. Ctrl+C stops it.`);
  return new Promise((resolve) => {
    const installer = path.join(installFolder, 'node_modules', 'electron', 'install.js');
    const child = spawn(node, [installer], { stdio: ['ignore', 'inherit', 'pipe'], timeout: FETCH_LIMIT_MS });
    let words = '';
    child.stderr.on('data', (chunk) => {
      words = (words + String(chunk)).slice(-2_000);
    });
    const progress = setInterval(() => {
      console.error(`… ${String(seconds())} s`);
    }, PROGRESS_EVERY_MS);
    child.on('error', (error) => {
      words = error.message;
    });
    child.on('close', (code) => {
      clearInterval(progress);
      resolve(code === 0 ? undefined : (words.trim().split('\n')[0] ?? 'the installer failed'));
    });
  });
}

/**
 * @param {string} memory
 * @param {string} version
 * @returns {string | undefined}
 */
function rememberedFailure(memory, version) {
  try {
    const known = /** @type {{ version?: unknown, reason?: unknown }} */ (JSON.parse(readText(memory) ?? '{}'));
    return known.version === version && typeof known.reason === 'string' ? known.reason : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} memory
 * @param {{ version: string, reason: string }} failure
 */
function remember(memory, failure) {
  try {
    mkdirSync(path.dirname(memory), { recursive: true, mode: 0o700 });
    writeFileSync(memory, JSON.stringify(failure), { mode: 0o600 });
  } catch (error) {
    console.error(`The failure could not be remembered, so the next start tries again: ${String(error)}`);
  }
}

/**
 * @param {string} file
 * @returns {string | undefined}
 */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
