// `npm run dev [-- PATH]`: the app with hot reload. Where Electron's binary is missing, the Chromium stand-in plays it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root, runNode } from './run-command.ts';

const electron = path.join(root, 'node_modules/electron/path.txt');
const standIn = path.join(root, 'src-main/chromium/electron');

const useStandIn = process.env['ELECTRON_EXEC_PATH'] === undefined && !existsSync(electron);
console.log(useStandIn ? 'Electron is not here: the system Chromium shows the window.' : 'Electron shows the window.');
const appArgs = process.argv.slice(2);
const { code } = await runNode(
  [
    'node_modules/electron-vite/bin/electron-vite.js',
    'dev',
    '--watch',
    ...(appArgs.length > 0 ? ['--', ...appArgs] : []),
  ],
  { show: true, env: useStandIn ? { ELECTRON_EXEC_PATH: standIn } : {} },
);
process.exitCode = code;
