// Kill -9 at any moment of a publish: each file is wholly old or wholly new, and the next open leaves nothing behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newTempName } from '../../../src-main/tools/workspace/temp-names.ts';
import { openWorkspace } from '../../../src-main/tools/workspace/open-workspace.ts';
import { sha256 } from '../../../src-main/tools/workspace/file-version.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const PUBLISHES = 2000;
const child = path.join(import.meta.dirname, 'publish-child.ts');
/** A killed process loses nothing that the system has, so memory does as well as a disk, and is faster. */
const base = fs.existsSync('/dev/shm') ? '/dev/shm' : undefined;

/** Runs the child from a generation on and kills it after some publishes; gives what it began and had not said to be done. */
async function runAndKill(folder: string, first: number, publishes: number) {
  const running = spawn(process.execPath, [child, folder, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let last = first;
  let left = publishes;
  let begun: { name: string; base: string | null } | null = null;
  for await (const line of createInterface({ input: running.stdout })) {
    const [what, name = '', digest = ''] = line.split(' ');
    if (what === 'start') begun = { name, base: digest === 'new' ? null : digest };
    else {
      last = Number(name);
      begun = null;
      if (--left === 0) setTimeout(() => running.kill('SIGKILL'), (first * 7) % 6);
    }
  }
  if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
  return { next: last + 1, begun };
}

const tempsIn = (folder: string): string[] => fs.readdirSync(folder).filter((name) => name.startsWith('.warrant-'));

describe('a publish that is cut', () => {
  it('leaves each file wholly old or wholly new, and no temp after the next open', { timeout: 300_000 }, async () => {
    const folder = base === undefined ? await tempFolder() : fs.mkdtempSync(path.join(base, 'warrant-crash-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    let next = 0;
    let cut = 0;
    for (let round = 0; next < PUBLISHES; round++) {
      const killed = await runAndKill(folder, next, 60 + ((round * 37) % 90));
      next = killed.next;
      cut += tempsIn(folder).length;
      const workspace = await openWorkspace(folder);
      if (killed.begun) {
        expect(await workspace.sweep(workspace.parse(killed.begun.name), killed.begun.base)).toMatchObject({
          kept: [],
        });
      }
      await workspace.close();
      expect(tempsIn(folder)).toEqual([]);
      for (const name of fs.readdirSync(folder)) {
        const lines = fs.readFileSync(path.join(folder, name), 'utf8').split('\n');
        expect([new Set(lines.slice(0, -1)).size, lines.length, lines.at(-1)], name).toEqual([1, 25_001, '']);
      }
    }
    // Some kill met a publish: otherwise this would prove nothing.
    expect(cut).toBeGreaterThan(0);
  });

  it('never removes bytes of another party, nor the temp of a process that lives', async () => {
    const folder = await tempFolder();
    const workspace = await openWorkspace(folder);
    onTestFinished(() => workspace.close());
    const at = workspace.parse('a.txt');
    const dead = newTempName('a.txt').replace(/^(\.warrant-[0-9a-f]{8})[0-9a-f]{8}/, '$17fffffff');
    const put = (name: string, text: string): void => fs.writeFileSync(path.join(folder, name), text);
    // Ours was swapped in; what it displaced is neither ours nor what we knew.
    put('a.txt', 'ours');
    put(dead, 'theirs');
    put(newTempName('a.txt'), 'being written');
    put('.warrant-not-one.tmp', 'x');
    const swept = await workspace.sweep(at, sha256('base'));
    expect(swept).toMatchObject({ removed: 0, kept: [expect.stringMatching(/^a\.txt\.warrant-recovered-/)] });
    expect(fs.readFileSync(path.join(folder, swept.kept[0] ?? ''), 'utf8')).toBe('theirs');
    expect(tempsIn(folder)).toHaveLength(2);
    // What was displaced is what we knew, or the swap had not been: then nobody else has bytes there.
    put(dead, 'base');
    expect(await workspace.sweep(at, sha256('base'))).toEqual({ removed: 1, kept: [] });
    put(dead, 'new');
    expect(await workspace.sweep(at, sha256('ours'))).toEqual({ removed: 1, kept: [] });
    expect(await workspace.sweep(workspace.parse('gone/b.txt'), null)).toEqual({ removed: 0, kept: [] });
  });
});
