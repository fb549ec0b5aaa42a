import { expect, test } from 'vitest';
import { externalAddress, openExternal } from '../../../src-main/desktop/open-external.ts';

test.each([
  ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['HTTPS://Example.com', 'https://example.com/'],
  ['https://пример.example/', 'https://xn--e1afmkfd.example/'],
  ['mailto:someone@example.com?subject=x', 'mailto:someone@example.com?subject=x'],
])('%s may be opened', (text, address) => {
  expect(externalAddress(text)).toBe(address);
});

test.each([
  'http://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'smb://host/share',
  '\\\\host\\share',
  'ms-settings:',
  'vscode://file/x',
  'https://user:password@example.com/',
  'https://user@example.com/',
  'https:example.com',
  'https:\\\\example.com',
  'https:///example.com',
  'https://exa\u202Emple.com/',
  'https://example.com/\u200B',
  'https://example.com/\u0000',
  'https://example.com/a b',
  'https://example.com/\n',
  'mailto://example.com',
  'mailto:',
  '',
  'example.com',
  `https://example.com/${'a'.repeat(8200)}`,
])('%j may not be opened', async (text) => {
  expect(externalAddress(text)).toBeUndefined();
  await expect(openExternal(text)).rejects.toMatchObject({ code: 'ipc.invalid-input' });
});
