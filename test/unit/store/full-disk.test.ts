// A disk that is full at one level after another: what was acknowledged stays, the error says so, and writing goes on by
// itself as soon as there is room. WARRANT_LONG=1 tries fifty levels.
import { spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

const LONG = process.env['WARRANT_LONG'] === '1';
const LEVELS = LONG ? 50 : 6;
const SIZE = 4_194_304;

test(
  `FIG-11, D7: at each of ${LEVELS} fill levels of a disk nothing acknowledged is lost, and writing goes on when there is room`,
  { timeout: LONG ? 900_000 : 120_000 },
  async (context) => {
    const folder = path.join(await tempFolder(), 'small');
    mkdirSync(folder);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder]).status === 0;
    if (!mounted) context.skip('a small file system cannot be mounted here');
    onTestFinished(() => void spawnSync('umount', ['-l', folder]));
    const ballast = path.join(folder, 'ballast');
    for (let level = 0; level < LEVELS; level++) {
      const data = path.join(folder, `data-${level}`);
      let store = await openStore({ folder: data });
      const { id } = await make.session(store, await make.project(store));
      let acknowledged = 1;
      // Some bytes are left: fewer each time, down to none.
      const { bavail, bsize } = statfsSync(folder);
      const left = Math.floor((300_000 * (LEVELS - 1 - level)) / Math.max(1, LEVELS - 1));
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left)));
      const append = async (text: string): Promise<void> => {
        await store.append(id, process.pid, [make.message('t', text), make.answer('t')]);
        acknowledged += 2;
      };
      await expect(
        (async () => {
          for (let n = 0; ; n++) await append('x'.repeat(200 + ((n * 977) % 9_000)));
        })(),
      ).rejects.toMatchObject({ code: 'store.disk-full' });
      // What is smaller may still fit; whatever does not is told so each time, and nothing half written is there.
      const told = async (work: Promise<unknown>): Promise<void> => {
        const error = await work.then(
          () => null,
          (caught: unknown) => caught,
        );
        if (error !== null) expect(error).toMatchObject({ code: 'store.disk-full' });
      };
      await told(append('again'));
      await told(store.setDraft(id, { text: 'd'.repeat(20_000), attachmentIds: [] }));
      expect((await store.readPath(id)).entries).toHaveLength(acknowledged);
      if (level % 2 === 0) {
        // Also over a restart on the full disk: what is saved is shown, or it is told why not.
        await store.close();
        const again = await openStore({ folder: data }).catch((error: unknown) => error);
        if (again instanceof Error) expect(again).toMatchObject({ code: 'store.disk-full' });
        else await (again as typeof store).close();
        writeFileSync(ballast, '');
        store = await openStore({ folder: data });
        await store.acquire(id, make.lease);
      } else writeFileSync(ballast, '');
      await append('there is room');
      expect((await store.readPath(id)).entries).toHaveLength(acknowledged);
      expect((await store.getSession(id))?.headSeq).toBe(acknowledged);
      await store.close();
      const database = new Database(databaseFile(data), { readonly: true });
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      database.close();
      spawnSync('rm', ['-rf', data]);
    }
  },
);
