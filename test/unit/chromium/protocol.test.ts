import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromBrowserUrl, protocol, toBrowserUrl } from '../../../src-main/chromium/protocol.ts';

beforeAll(() => {
  protocol.handle('app', () => new Response());
});
afterAll(() => {
  protocol.unhandle('app');
});

test.each([
  ['app://main/index.html?a=1#b', 'https://main.app.invalid/index.html?a=1#b'],
  ['app://main', 'https://main.app.invalid/'],
])('%s is %s to the browser, and back', (own, browser) => {
  expect(toBrowserUrl(own)).toBe(browser);
  expect(new URL(fromBrowserUrl(browser)).href).toBe(new URL(own === 'app://main' ? 'app://main/' : own).href);
});

test.each([
  'https://example.com/',
  'https://main.other.invalid/',
  'https://main.app.invalid.example.com/',
  'https://evil.example/https://main.app.invalid/',
  'http://main.app.invalid/',
  'other://main/',
])("%s is nobody's but its own", (url) => {
  expect(fromBrowserUrl(url)).toBe(url);
  expect(toBrowserUrl(url)).toBe(url);
});
