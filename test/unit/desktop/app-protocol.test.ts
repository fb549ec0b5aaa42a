import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeInside, respond } from '../../../src-main/desktop/app-protocol.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

async function site(): Promise<{ root: string; folder: string }> {
  const root = await tempFolder();
  const folder = path.join(root, 'renderer');
  await mkdir(path.join(folder, 'assets'), { recursive: true });
  await writeFile(path.join(folder, 'index.html'), '<head></head>');
  await writeFile(path.join(folder, 'assets/a b.js'), 'let a');
  await writeFile(path.join(root, 'secret.txt'), 'secret');
  await symlink(path.join(root, 'secret.txt'), path.join(folder, 'link.txt'));
  return { root, folder };
}
const get = (url: string, method = 'GET'): Pick<Request, 'url' | 'method'> => ({ url, method });

test('the page comes with a policy that allows no script but its own and no connection, and a nonce of its own each time', async () => {
  const { folder } = await site();
  const first = await respond(folder, get('app://main/index.html?x#y'));
  const second = await respond(folder, get('app://main/index.html'));
  const policy = first.headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'none'",
      "frame-src 'none'",
      "base-uri 'none'",
    ]),
  );
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  expect(nonce).toMatch(/^[A-Za-z0-9+/=]{24}$/);
  expect(await first.text()).toBe(`<head><meta name="style-nonce" content="${nonce}"></head>`);
  expect(second.headers.get('content-security-policy')).not.toContain(nonce);
});

test('files have their type, and names with blanks are found', async () => {
  const { folder } = await site();
  const response = await respond(folder, get('app://main/assets/a%20b.js'));
  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('x-content-type-options'),
  ]).toEqual([200, 'text/javascript; charset=utf-8', 'nosniff']);
});

test.each([
  'app://main/../secret.txt',
  'app://main/%2e%2e/secret.txt',
  'app://main/%2e%2e%2fsecret.txt',
  'app://main/..%5csecret.txt',
  'app://main/assets/..%2f..%2fsecret.txt',
  'app://main//etc/passwd',
  'app://main/%2fetc%2fpasswd',
  'app://main/assets%00/a',
  'app://main/c:/windows',
  'app://main/%',
  'app://main/',
  'app://main/assets/',
  'app://other/index.html',
  'file:///etc/passwd',
  'app://main/link.txt',
  'app://main/none.html',
  'app://main/assets',
])('%s gives nothing', async (url) => {
  const { folder } = await site();
  const response = await respond(folder, get(url));
  expect([403, 404]).toContain(response.status);
  expect(await response.text()).toBe('');
});

test('other methods are refused', async () => {
  const { folder } = await site();
  expect((await respond(folder, get('app://main/index.html', 'POST'))).status).toBe(405);
});

test('no address whatever names a place outside the folder', () => {
  const piece = fc.oneof(
    fc.constantFrom('..', '.', '%2e%2e', '%2E', '/', '\\', '%5c', '%2f', '%00', 'a', ':', '//', '%252e', '?', '#', '@'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const place = placeInside('/site', `app://main/${pieces.join('')}`);
      expect(place === undefined || place.startsWith('/site/')).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
