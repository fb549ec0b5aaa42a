// `npm run screenshots`: plays the first-run story in the built application and writes the README's pictures.
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import tests from './playwright.config.ts';

const root = path.resolve(import.meta.dirname, '../..');

export default defineConfig({ ...tests, testDir: path.join(root, 'test/screenshots'), workers: 1, reporter: 'list' });
