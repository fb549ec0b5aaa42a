// Builds the window's page once and serves its files to a browser page without any port, under the product's own policy.
import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import type { BrowserContext } from '@playwright/test';
import { build } from 'vite';

const ORIGIN = 'https://warrant.test';

/** What the product's own protocol sends; `zod` is in this page only, so nothing needs more. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'nonce-test'",
  "img-src 'self' data:",
  "font-src 'self'",
  "worker-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Builds the page into a folder of its own and gives that folder. */
export async function buildRendererPage(): Promise<string> {
  const outDir = mkdtempSync(path.join(os.tmpdir(), 'warrant-page-'));
  await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'esnext', minify: false, assetsInlineLimit: 0 },
  });
  return outDir;
}

/** Serves the built page to every page of this context; gives the address of a scenario. */
export async function servePage(context: BrowserContext, folder: string): Promise<(query: string) => string> {
  await context.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = path.join(folder, pathname === '/' ? 'index.html' : pathname);
    try {
      const body = readFileSync(file);
      const headers = { 'content-security-policy': POLICY, 'content-type': types[path.extname(file)] ?? 'text/plain' };
      await route.fulfill({ body, headers });
    } catch (cause) {
      await route.fulfill({ status: 404, body: String(cause) });
    }
  });
  return (query) => `${ORIGIN}/?${query}`;
}
