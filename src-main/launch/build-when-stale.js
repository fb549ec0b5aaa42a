// In a checkout: builds out/ when it is missing or older than its sources. An installed package is built already.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installFolder } from './install-folder.js';

const SOURCES = [
  'src-main',
  'src-preload',
  'src-renderer',
  'resources',
  'electron.vite.config.ts',
  'package-lock.json',
];
const OUTPUTS = ['main/main.js', 'main/headless.js', 'preload/preload.cjs', 'renderer/index.html'];
const WAIT_LIMIT_MS = 180_000;

/**
 * Builds when needed, saying so on standard error. False when the build failed: its output has been printed.
 * @param {string} node the Node to build with
 * @returns {boolean}
 */
export function buildWhenStale(node) {
  if (!isStale(installFolder)) return true;
  const lock = path.join(installFolder, 'node_modules', '.cache', 'warrant-build.lock');
  if (!takeLock(lock)) {
    console.error(
      `Warrant must be built anew, and ${installFolder} cannot be written to. Run \`npm run build\` as its owner.`,
    );
    return isWhole(installFolder);
  }
  try {
    return !isStale(installFolder) || build(node);
  } finally {
    rmSync(lock, { force: true });
  }
}

/**
 * True when every part of a build is there, however old.
 * @param {string} folder
 * @returns {boolean}
 */
function isWhole(folder) {
  return OUTPUTS.every((file) => existsSync(path.join(folder, 'out', file)));
}

/**
 * True when `folder` is a checkout whose out/ is missing, not whole, or older than a source.
 * @param {string} folder
 * @returns {boolean}
 */
export function isStale(folder) {
  if (!existsSync(path.join(folder, 'electron.vite.config.ts'))) return false;
  const built = Math.min(...OUTPUTS.map((file) => modifiedMs(path.join(folder, 'out', file))));
  return SOURCES.some((source) => newestMs(path.join(folder, source)) > built);
}

/**
 * @param {string} node
 * @returns {boolean}
 */
function build(node) {
  const startedMs = Date.now();
  console.error('Building Warrant: this is its first start, or its sources have changed.');
  const script = path.join(installFolder, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const { status, stdout, stderr, error } = spawnSync(node, [script, 'build'], {
    cwd: installFolder,
    encoding: 'utf8',
  });
  if (status === 0) {
    console.error(`Built in ${((Date.now() - startedMs) / 1000).toFixed(1)} s.`);
    return true;
  }
  console.error(error?.message ?? `${stdout}${stderr}`);
  console.error('The build failed (see above). Run `npm ci` again, then `npm run build`.');
  return false;
}

/**
 * The newest change of a file, or of a folder and all in it (a removed file changes its folder).
 * @param {string} place
 * @returns {number}
 */
function newestMs(place) {
  const stats = statSync(place, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  const inside = readdirSync(place).map((name) => newestMs(path.join(place, name)));
  return Math.max(stats.mtimeMs, ...inside);
}

/**
 * @param {string} file
 * @returns {number}
 */
function modifiedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Waits while another start is building; a lock whose process is gone is taken over. False when none can be made here.
 * @param {string} lock
 * @returns {boolean}
 */
function takeLock(lock) {
  for (const end = Date.now() + WAIT_LIMIT_MS; Date.now() < end;) {
    try {
      mkdirSync(path.dirname(lock), { recursive: true });
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return false;
      if (!isHeld(lock)) rmSync(lock, { force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
  return true;
}

/**
 * @param {string} lock
 * @returns {boolean}
 */
function isHeld(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    // Just made, its number not yet written.
    if (pid === 0) return true;
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
