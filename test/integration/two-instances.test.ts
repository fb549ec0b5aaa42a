// Two processes and two windows on one store: whatever both do at once, nobody is told of a locked database, and nothing that
// was stored is lost. WARRANT_LONG=1 races a thousand times.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const LONG = process.env['WARRANT_LONG'] === '1';
const RACES = LONG ? 1_000 : 60;
const PROCESSES = 2;

interface Told {
  readonly seqs: number[];
  readonly made: SessionId[];
  readonly errors: string[];
}

it(
  `FIG-17, D4: ${RACES} races of two processes with two windows each lose nothing, and nobody hears of a locked database`,
  { timeout: LONG ? 1_800_000 : 240_000 },
  async () => {
    const data = path.join(await tempFolder(), 'data');
    const folder = await tempFolder();
    await mkdir(data);
    const child = path.join(import.meta.dirname, 'race-child.ts');
    const run = async (): Promise<Told> => {
      const process_ = spawn(process.execPath, [child, data, folder, String(RACES / PROCESSES)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let out = '';
      process_.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      const [code] = (await once(process_, 'close')) as [number | null];
      expect(code).toBe(0);
      return JSON.parse(out) as Told;
    };
    const told = await Promise.all(Array.from({ length: PROCESSES }, run));
    // A chat that another one writes is the only thing that may be refused.
    expect(told.flatMap(({ errors }) => errors).filter((code) => code !== 'session.busy')).toEqual([]);
    const store = await openStore({ folder: data });
    const made = told.flatMap((one) => one.made);
    expect(new Set(made).size).toBe(made.length);
    for (const id of made) expect((await store.readPath(id)).entries.length).toBeGreaterThan(2);
    const { sessions } = await store.listSessions({
      projectId: null,
      filter: 'shared',
      archived: false,
      cursor: null,
      limit: 9,
    });
    expect(sessions).toHaveLength(1);
    const [shared] = sessions;
    if (!shared) return;
    const { entries, unreadable } = await store.readPath(shared.id);
    expect([unreadable, entries.map(({ seq }) => seq)]).toEqual([0, entries.map((_, index) => index + 1)]);
    // Each acknowledged message is there, once.
    const seqs = told.flatMap((one) => one.seqs);
    expect(new Set(seqs).size).toBe(seqs.length);
    const stored = new Set(entries.map(({ seq }) => seq));
    expect(seqs.filter((seq) => !stored.has(seq))).toEqual([]);
    expect(seqs.length).toBeGreaterThan(RACES / 2);
    expect(await store.check()).toEqual({ ok: true, problems: [] });
    await store.close();
  },
);
