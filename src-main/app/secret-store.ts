// Keeps secrets in one file (0600) of the data folder: each sealed by the system's keychain where this program has one, else
// by a key in a second file (0600). The latter keeps a secret out of sight, not from a program that runs as the same person,
// and `protection` says so. What a keychain sealed is unreadable without it.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../base/app-error.ts';
import type { SecretStore } from './host.ts';

/** The system's keychain, as far as this program can use it. Both reject when the keychain refuses. */
export interface Keychain {
  seal(text: string): Promise<Buffer>;
  open(sealed: Buffer): Promise<string>;
}

const secretFileSchema = z.strictObject({
  version: z.literal(1),
  secrets: z.record(z.string(), z.strictObject({ by: z.enum(['keychain', 'file']), sealed: z.base64() })),
});
type SecretFile = z.infer<typeof secretFileSchema>;

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The secrets of `folder` (which exists). Changes of one store are made one after the other. */
export function createSecretStore(folder: string, keychain?: Keychain): SecretStore {
  const file = path.join(folder, 'secrets.json');
  const keyFile = path.join(folder, 'secrets.key');
  let last: Promise<unknown> = Promise.resolve();
  const change = (edit: (content: SecretFile) => Promise<void>): Promise<void> => {
    const next = last.then(async () => {
      const content = await readSecretFile(file);
      await edit(content);
      await writeWhole(file, JSON.stringify(content));
    });
    last = next.catch(() => undefined);
    return next;
  };
  return {
    protection: keychain ? 'keychain' : 'file',
    async get(name) {
      const secret = (await readSecretFile(file)).secrets[name];
      if (!secret) return null;
      const sealed = Buffer.from(secret.sealed, 'base64');
      if (secret.by === 'keychain' && !keychain) {
        throw unreadable(
          name,
          "It is kept in the system's keychain, which only Warrant's window on Electron can open.",
        );
      }
      try {
        return secret.by === 'keychain' && keychain
          ? await keychain.open(sealed)
          : openWith(await readKey(keyFile), sealed);
      } catch (cause) {
        throw unreadable(name, 'It is stored, but it cannot be opened any more.', cause);
      }
    },
    set: (name, value) =>
      change(async ({ secrets }) => {
        const sealed = keychain ? await keychain.seal(value) : sealWith(await makeKey(keyFile), value);
        secrets[name] = { by: keychain ? 'keychain' : 'file', sealed: sealed.toString('base64') };
      }),
    remove: (name) =>
      change(({ secrets }) => {
        Reflect.deleteProperty(secrets, name);
        return Promise.resolve();
      }),
  };
}

function unreadable(name: string, why: string, cause?: unknown): AppError {
  return new AppError(
    'secret.unreadable',
    `The key of ${name} cannot be read. ${why} Enter it again in the settings.`,
    {
      details: { name },
      cause,
    },
  );
}

/** A damaged file is reported and left as it is, so that nothing in it is lost. */
async function readSecretFile(file: string): Promise<SecretFile> {
  const text = await readIfThere(file);
  if (text === undefined) return { version: 1, secrets: {} };
  try {
    return secretFileSchema.parse(JSON.parse(text.toString('utf8')));
  } catch (cause) {
    throw new AppError(
      'secret.unreadable',
      `The file of keys, ${file}, is damaged. Move it away and enter the keys again in the settings.`,
      { details: { file }, cause },
    );
  }
}

async function readKey(keyFile: string): Promise<Buffer> {
  const key = await readIfThere(keyFile);
  if (key?.length !== KEY_BYTES) throw new AppError('secret.unreadable', `${keyFile} is missing or damaged.`);
  return key;
}

async function makeKey(keyFile: string): Promise<Buffer> {
  const known = await readIfThere(keyFile);
  if (known) return readKey(keyFile);
  try {
    const key = randomBytes(KEY_BYTES);
    await writeFile(keyFile, key, { mode: 0o600, flag: 'wx' });
    return key;
  } catch {
    // Made by another process in between.
    return readKey(keyFile);
  }
}

/** Nonce, tag, then the sealed text. */
function sealWith(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function openWith(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new AppError('secret.unreadable', `${file} cannot be read. Make it readable for you.`, { cause: error });
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${String(process.pid)}.new`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
}
