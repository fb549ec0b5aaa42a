// Checkpoints over each form of the door, under another process that swaps a folder for a link, and as a person who may not
// read everything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gitId } from '../../../src-main/tools/checkpoint/git-objects.ts';
import { bestGuarantee } from '../../../src-main/tools/workspace/load-door.ts';
import { checkpointRig, copyOf, write } from '../../helpers/checkpoint-rig.ts';

describe.each(['descriptor', 'proc', 'checked'] as const)('a checkpoint over the %s door', (guarantee) => {
  it('gives back files, links, permissions and folders', async () => {
    const rig = await checkpointRig({ kind: 'git', guarantee });
    write(rig.folder, { 'a.txt': 'a\r\n', 'd/b.txt': 'b', 'd/e/c.txt': 'c', 'f/keep.txt': 'k' });
    fs.chmodSync(path.join(rig.folder, 'a.txt'), 0o755);
    fs.symlinkSync('d/b.txt', path.join(rig.folder, 'link'));
    fs.mkdirSync(path.join(rig.folder, 'hollow'));
    const before = copyOf(rig.folder);
    const id = await rig.begin('1');
    write(rig.folder, { 'a.txt': 'A', 'new/n.txt': 'n' });
    fs.chmodSync(path.join(rig.folder, 'a.txt'), 0o600);
    fs.rmSync(path.join(rig.folder, 'd'), { recursive: true });
    fs.writeFileSync(path.join(rig.folder, 'd'), 'a file now');
    fs.rmSync(path.join(rig.folder, 'link'));
    fs.symlinkSync('f', path.join(rig.folder, 'link'));
    fs.rmdirSync(path.join(rig.folder, 'hollow'));
    await rig.end('1');
    const changed = copyOf(rig.folder);
    const { kept, checkpointId } = await rig.restore([id]);
    expect(kept).toEqual([]);
    expect(copyOf(rig.folder)).toEqual(before);
    await rig.restore(checkpointId ? [checkpointId] : []);
    expect(copyOf(rig.folder)).toEqual(changed);
  });

  it('leaves what changed in the moment between looking and writing', async () => {
    const rig = await checkpointRig({ kind: 'plain', guarantee });
    const { openTreeDoor } = await import('../../../src-main/tools/workspace/load-tree-door.ts');
    const { treePath } = await import('../../../src-main/tools/workspace/tree-door.ts');
    write(rig.folder, { 'a.txt': 'not what was expected' });
    fs.symlinkSync('elsewhere', path.join(rig.folder, 'link'));
    const { door, close } = await openTreeDoor(rig.project.identity);
    onTestFinished(close);
    const remove = (name: string, type: 'file' | 'link') => () =>
      door.remove(treePath(name), type === 'file' ? { type, matches: () => false } : { type, target: 'other' });
    expect(remove('a.txt', 'file')).toThrow('changed meanwhile');
    expect(remove('link', 'link')).toThrow('changed meanwhile');
    expect(remove('a.txt', 'link')).toThrow('changed meanwhile');
    expect(fs.readdirSync(rig.folder).sort()).toEqual(['a.txt', 'link']);
    expect(fs.readFileSync(path.join(rig.folder, 'a.txt'), 'utf8')).toBe('not what was expected');
  });
});

const ROUNDS = process.env['WARRANT_LONG'] === '1' ? 100 : 4;
const swaps = bestGuarantee() === 'descriptor' && process.platform === 'linux';

/** Root becomes somebody else for files, and root again. */
function become(id: number): void {
  if (id === 0) process.seteuid?.(0);
  process.setegid?.(id);
  if (id !== 0) process.seteuid?.(id);
}

describe('a checkpoint while another process works against it', () => {
  it.skipIf(!swaps)('keeps nothing from outside and writes nothing there, whatever is swapped', async () => {
    const rig = await checkpointRig({ kind: 'git' });
    const outside = path.join(rig.data, 'outside');
    write(outside, { 'b.txt': 'a secret outside' });
    write(rig.folder, { 'd/b.txt': 'inside' });
    fs.symlinkSync(outside, path.join(rig.folder, 'swap'));
    await rig.begin('before');
    const script = path.resolve(import.meta.dirname, '../../helpers/swap-attacker.ts');
    const attacker = spawn(process.execPath, [script, path.join(rig.folder, 'd'), path.join(rig.folder, 'swap')]);
    onTestFinished(() => void attacker.kill('SIGKILL'));
    await once(attacker.stdout, 'data');
    for (let round = 0; round < ROUNDS; round++) {
      // Caught in the middle of a swap a capture may fail; what counts is what it never does.
      const id = await rig.begin(String(round)).catch(() => null);
      if (id === null) continue;
      await rig.restore([id]).catch(() => null);
    }
    attacker.kill('SIGTERM');
    await once(attacker, 'close');
    expect(copyOf(outside)).toEqual([
      expect.stringContaining(Buffer.from('a secret outside').toString('base64')) as string,
    ]);
    const objects = path.join(rig.data, 'checkpoints', rig.project.id, 'git');
    const { runGit } = await import('../../../src-main/tools/checkpoint/run-git.ts');
    const program = ['/usr/local/bin/git', '/usr/bin/git'].find((one) => fs.existsSync(one)) ?? 'git';
    const kept = await runGit({ program, folder: objects }, ['cat-file', '--batch-all-objects', '--batch-check']);
    expect(kept.toString()).toContain(gitId(Buffer.from('inside')));
    expect(kept.toString()).not.toContain(gitId(Buffer.from('a secret outside')));
  });

  it.skipIf(process.getuid?.() !== 0)(
    'goes around files and folders that may not be read, and never takes them for gone',
    async () => {
      const rig = await checkpointRig({ kind: 'git' });
      write(rig.folder, { 'a.txt': 'a', 'closed.txt': 'c', 'closed/inner.txt': 'i', 'open/b.txt': 'b' });
      const nobody = 65_534;
      fs.chmodSync(path.dirname(rig.folder), 0o755);
      for (const name of ['', 'a.txt', 'open', 'open/b.txt']) fs.chownSync(path.join(rig.folder, name), nobody, nobody);
      fs.chownSync(rig.data, nobody, nobody);
      fs.chmodSync(path.join(rig.folder, 'closed.txt'), 0o600);
      fs.chmodSync(path.join(rig.folder, 'closed'), 0o700);
      become(nobody);
      onTestFinished(() => become(0));
      const id = await rig.begin('1');
      fs.writeFileSync(path.join(rig.folder, 'a.txt'), 'A');
      await rig.end('1');
      become(0);
      // Somebody opened them meanwhile: they are no files that the turn made.
      fs.chmodSync(path.join(rig.folder, 'closed'), 0o755);
      fs.chmodSync(path.join(rig.folder, 'closed.txt'), 0o644);
      become(nobody);
      const { files } = await rig.plan([id]);
      expect(files.map((file) => [file.path, file.blocked])).toEqual([
        ['a.txt', null],
        ['closed', 'It could not be read.'],
        ['closed.txt', 'It could not be read.'],
      ]);
      const { restored } = await rig.restore([id]);
      expect(restored).toEqual(['a.txt']);
      expect(fs.readdirSync(path.join(rig.folder, 'closed'))).toEqual(['inner.txt']);
    },
  );
});
