// Two projects: unit (one file's behaviour) and integration (several rooms, real files, databases and processes).
// The end-to-end tests are Playwright's: see playwright.config.ts.
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { lightStreams, syncSchemas } from '../../electron.vite.config.ts';
import { patient } from '../helpers/patient.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Units of the desktop meet the stand-in where they import `electron`, whose own module starts a download. */
const standIn = path.join(root, 'src-main/chromium/electron.ts');

/** Long enough for a busy machine: a limit tells a hang from an end, and nothing about speed. */
const shared = {
  environment: 'node',
  testTimeout: 120_000,
  hookTimeout: 120_000,
  pool: 'forks',
  expect: { poll: patient },
} as const;

export default defineConfig({
  root,
  cacheDir: path.join(root, 'node_modules/.cache/vitest'),
  test: {
    maxWorkers: 2,
    // A test marked "only" must never reach the shared tests by accident.
    allowOnly: false,
    projects: [
      {
        resolve: { alias: { electron: standIn } },
        test: { ...shared, name: 'unit', include: ['test/unit/**/*.test.{ts,tsx}'] },
      },
      {
        // The providers meet the same streams as in the built program.
        plugins: [lightStreams, syncSchemas],
        test: {
          ...shared,
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 240_000,
          server: { deps: { inline: [/@ai-sdk/, /eventsource-parser/] } },
        },
      },
    ],
  },
});
