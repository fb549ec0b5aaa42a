import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSecretStore, type Keychain } from '../../../src-main/app/secret-store.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

/** A keychain that only turns bytes around: what matters here is which secret goes through it. */
const keychain: Keychain = {
  seal: (text) => Promise.resolve(Buffer.from(text, 'utf8').reverse()),
  open: (sealed) => Promise.resolve(Buffer.from(sealed).reverse().toString('utf8')),
};

test("a stored key comes back, also in another process's store, and is in no file as it is", async () => {
  const folder = await tempFolder();
  await createSecretStore(folder).set('openrouter', 'sk-very-secret é');
  expect(await createSecretStore(folder).get('openrouter')).toBe('sk-very-secret é');
  expect(readFileSync(path.join(folder, 'secrets.json'), 'utf8')).not.toContain('sk-very-secret');
  for (const file of ['secrets.json', 'secrets.key'])
    expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
  expect(createSecretStore(folder).protection).toBe('file');
});

test('what is not stored, or was removed, is null', async () => {
  const store = createSecretStore(await tempFolder());
  expect(await store.get('a')).toBeNull();
  await store.set('a', '1');
  await store.remove('a');
  expect(await store.get('a')).toBeNull();
});

test('a key in the keychain cannot be read without it, and the error says so', async () => {
  const folder = await tempFolder();
  const desktop = createSecretStore(folder, keychain);
  await desktop.set('anthropic', 'key');
  expect([desktop.protection, await desktop.get('anthropic')]).toEqual(['keychain', 'key']);
  await expect(createSecretStore(folder).get('anthropic')).rejects.toMatchObject({
    code: 'secret.unreadable',
    message: expect.stringContaining('keychain') as string,
  });
});

test('many changes at once are all kept', async () => {
  const store = createSecretStore(await tempFolder());
  await Promise.all(Array.from({ length: 20 }, (_, n) => store.set(`p${String(n)}`, String(n))));
  expect(await Promise.all(Array.from({ length: 20 }, (_, n) => store.get(`p${String(n)}`)))).toEqual(
    Array.from({ length: 20 }, (_, n) => String(n)),
  );
});

test('a damaged file or a lost key file is a clear error, and nothing is overwritten', async () => {
  const folder = await tempFolder();
  const store = createSecretStore(folder);
  await store.set('a', '1');
  const whole = readFileSync(path.join(folder, 'secrets.json'), 'utf8');
  writeFileSync(path.join(folder, 'secrets.json'), whole.slice(0, 20));
  await expect(store.get('a')).rejects.toMatchObject({ code: 'secret.unreadable' });
  await expect(store.set('b', '2')).rejects.toMatchObject({ code: 'secret.unreadable' });
  expect(readFileSync(path.join(folder, 'secrets.json'), 'utf8')).toBe(whole.slice(0, 20));
  writeFileSync(path.join(folder, 'secrets.json'), whole);
  writeFileSync(path.join(folder, 'secrets.key'), Buffer.alloc(32));
  await expect(store.get('a')).rejects.toMatchObject({ code: 'secret.unreadable' });
});
