// How large a folder's files are, without subfolders: enough for the outputs folder, which is flat.
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Bytes of all files in a folder; 0 when it is not there. */
export async function folderBytes(folder: string): Promise<number> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch {
    return 0;
  }
  const sizes = await Promise.all(
    names.map(async (name) => {
      try {
        return (await stat(path.join(folder, name))).size;
      } catch {
        return 0;
      }
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
