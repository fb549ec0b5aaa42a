#!/usr/bin/env node
// `npm start [-- PATH] [--fetch-electron]`: Warrant's window on the current folder or on PATH.
import { HELP } from './help.js';
import { openWindow } from './open-window.js';

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) console.log(HELP);
else process.exitCode = await openWindow(args);
