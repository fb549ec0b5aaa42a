// End-to-end tests: the built application in a real browser engine. No test is tried again: a fault that comes and goes is
// a fault.
import path from 'node:path';
import { defineConfig } from '@playwright/test';

const root = path.resolve(import.meta.dirname, '../..');

export default defineConfig({
  testDir: path.join(root, 'test/e2e'),
  outputDir: path.join(root, 'test-results/e2e'),
  // A start of the whole application is a browser and a Node: two at once are what two cores carry.
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 45_000 },
  reporter: [['list'], ['json', { outputFile: path.join(root, 'test-results/e2e.json') }]],
});
