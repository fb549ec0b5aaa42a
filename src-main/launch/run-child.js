// Runs a program in this process's place: its input, output, signals and exit code are the program's.
import { spawn } from 'node:child_process';
import os from 'node:os';

/**
 * Resolves to the exit code: the program's, or 128 + the number of the signal that ended it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]
 * @returns {Promise<number>}
 */
export function runChild(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    // A terminal sends its interrupt to the program as well: sent on, it would count twice.
    process.on('SIGINT', () => {
      if (!process.stdin.isTTY) child.kill('SIGINT');
    });
    for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => {
        child.kill(signal);
      });
    }
    child.on('error', (error) => {
      console.error(`${command} cannot be started: ${error.message}`);
      resolve(126);
    });
    child.on('exit', (code, signal) => {
      resolve(code ?? 128 + (signal ? os.constants.signals[signal] : 0));
    });
  });
}
