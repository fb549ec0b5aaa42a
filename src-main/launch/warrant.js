#!/usr/bin/env node
// The command `warrant`: a folder opens the window; `run` and `resume` work in the terminal.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HELP, TERMINAL_COMMANDS } from './help.js';
import { installFolder, personFolder } from './install-folder.js';
import { openWindow } from './open-window.js';
import { runHeadless } from './run-headless.js';

const [first, ...rest] = process.argv.slice(2);
process.exitCode = await dispatch(first, rest);

/**
 * Resolves to the exit code.
 * @param {string | undefined} word
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
async function dispatch(word, args) {
  if (word === undefined) return openWindow([]);
  if (TERMINAL_COMMANDS.includes(word)) return runHeadless([word, ...args]);
  if (word === '--help' || word === '-h' || word === 'help') {
    console.log(HELP);
    return 0;
  }
  if (word === '--version') {
    const { version } = JSON.parse(readFileSync(path.join(installFolder, 'package.json'), 'utf8'));
    console.log(version);
    return 0;
  }
  if (word === '--fetch-electron' || existsSync(path.resolve(personFolder(), word))) return openWindow([word, ...args]);
  console.error(`${word} is neither a command (${TERMINAL_COMMANDS.join(', ')}) nor a folder. See \`warrant --help\`.`);
  return 64;
}
