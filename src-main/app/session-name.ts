// Names that programs call chats by: one that was asked for, or a made one of the form tag-adjective-noun, whose tag is the
// folder's. A title is for people, a name for commands and files.
import path from 'node:path';
import { AppError } from '../base/app-error.ts';
import type { Store } from '../store/store.ts';

const ADJECTIVES =
  'able amber apt bold brave brief bright brisk calm civil clean clear cosy crisp deft eager early even fair fast fine firm fond frank fresh glad good grand green happy hardy keen kind large level light lively lucid merry mild neat new noble open plain polite prompt proud quick quiet rapid ready ripe round safe sharp sleek smart smooth snug solid sound spry'.split(
    ' ',
  );
const NOUNS =
  'acorn alder anchor apple aspen badger barley basin beacon beech birch bridge brook cedar clover comet coral crane creek dune falcon fern field finch flint forest garden glade grove harbor hazel heron hill iris island juniper kestrel lake lantern larch linden lynx maple marten meadow mill oak orchard osprey otter pear pebble pine plum pond poplar raven reed river robin sparrow spruce thistle willow'.split(
    ' ',
  );
const TAG_CHARACTERS = 20;
const TRIES = 5;

const pick = (words: readonly string[]): string => words[Math.floor(Math.random() * words.length)] ?? '';

/** A name for a chat of that folder. */
export function madeName(folder: string): string {
  const letters = path
    .basename(folder)
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '');
  return [letters.slice(0, TAG_CHARACTERS) || 'chat', pick(ADJECTIVES), pick(NOUNS)].join('-');
}

/**
 * The name of a new chat: `wanted`, or a made one that no other chat has. Code config.invalid for a name that is taken, or
 * that is none.
 */
export async function nameOfNew(
  store: Pick<Store, 'findSession'>,
  { wanted, folder }: { wanted: string | undefined; folder: string },
): Promise<string> {
  if (wanted !== undefined) {
    await assertFree(store, wanted);
    return wanted;
  }
  let name = madeName(folder);
  for (let n = 1; n < TRIES && (await store.findSession(name)) !== null; n++) name = madeName(folder);
  return name;
}

async function assertFree(store: Pick<Store, 'findSession'>, name: string): Promise<void> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
    const what =
      'A name has letters, digits, dots, dashes and underscores, 64 at most, and begins with a letter or digit.';
    throw new AppError('config.invalid', `${JSON.stringify(name)} is no name of a chat. ${what}`);
  }
  if ((await store.findSession(name)) === null) return;
  throw new AppError('config.invalid', `There is a chat named ${name}. Go on in it with --resume ${name}.`);
}
