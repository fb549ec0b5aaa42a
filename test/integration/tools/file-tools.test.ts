// The file tools over real folders, as the engine calls them.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../../src-main/tools/workspace/open-workspace.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { openTools } from '../../helpers/opened-tools.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

checkLeaks();

describe.each(['descriptor', 'proc', 'checked'] as const)('the %s form of the door', (guarantee) => {
  it('P1, P8: reads, lists, searches and writes refuse a link and name what it stands for', async () => {
    const tools = await openTools({ guarantee });
    const outside = await tempFolder();
    fs.writeFileSync(path.join(outside, 'x.txt'), 'outside');
    fs.symlinkSync('/etc/passwd', path.join(tools.root, 'leaf'));
    fs.symlinkSync(outside, path.join(tools.root, 'dir'));
    for (const [tool, args] of [
      ['read_file', { path: 'leaf' }],
      ['read_file', { path: 'dir/x.txt' }],
      ['list_directory', { path: 'dir' }],
      ['find_files', { pattern: '*', path: 'dir' }],
      ['grep', { pattern: 'outside', path: 'dir' }],
      ['write_file', { path: 'leaf', content: 'x' }],
      ['write_file', { path: 'dir/x.txt', content: 'x' }],
      ['edit_file', { path: 'dir/x.txt', old_string: 'outside', new_string: 'x' }],
    ] as const) {
      const outcome = await tools.call(tool, args);
      expect([tool, outcome.status, outcome.facts.code], outcome.content).toEqual([tool, 'error', 'workspace.is-link']);
    }
    if (guarantee !== 'checked') {
      expect((await tools.call('read_file', { path: 'leaf' })).content).toContain('leaf is a link to /etc/passwd');
    }
    expect(fs.readFileSync(path.join(outside, 'x.txt'), 'utf8')).toBe('outside');
  });

  it('P4: a new file below a link is refused, and nothing is made', async () => {
    const tools = await openTools({ guarantee });
    const outside = await tempFolder();
    fs.symlinkSync(outside, path.join(tools.root, 'link'));
    expect((await tools.call('write_file', { path: 'link/new.txt', content: 'x' })).facts.code).toBe(
      'workspace.is-link',
    );
    expect((await tools.call('write_file', { path: 'link/a/b.txt', content: 'x' })).facts.code).toBe(
      'workspace.is-link',
    );
    expect(fs.readdirSync(outside)).toEqual([]);
  });

  it('writes, reads, edits and lists', async () => {
    const tools = await openTools({ guarantee });
    expect((await tools.call('write_file', { path: 'a/b/c.txt', content: 'one\ntwo\n' })).content).toBe(
      'Created a/b/c.txt: +2 -0, made a, a/b' + (guarantee === 'checked' ? notAtomic : ''),
    );
    const edited = await tools.call('edit_file', { path: 'a/b/c.txt', old_string: 'two', new_string: '2' });
    expect(edited.status).toBe('ok');
    expect((await tools.call('read_file', { path: 'a/b/c.txt' })).content).toBe('     1\tone\n     2\t2');
    expect((await tools.call('list_directory', {})).content).toBe('a/');
    expect(fs.readdirSync(path.join(tools.root, 'a/b'))).toEqual(['c.txt']);
  });
});

const notAtomic = ' (this file system cannot swap files in one step; the file was compared right before)';

describe('paths', () => {
  it('FILE-04: an absolute path outside is its own effect, is asked for, and is walked without links too', async () => {
    const tools = await openTools();
    const outside = await tempFolder();
    fs.writeFileSync(path.join(outside, 'x.txt'), 'outside');
    fs.symlinkSync(path.join(outside, 'x.txt'), path.join(outside, 'link'));
    const file = path.join(outside, 'x.txt');
    expect(await tools.prepare('read_file', { path: file })).toMatchObject({
      effects: [{ kind: 'read-outside', target: file }],
      grant: null,
    });
    expect((await tools.call('read_file', { path: file })).content).toContain('outside');
    expect((await tools.call('read_file', { path: path.join(outside, 'link') })).facts.code).toBe('workspace.is-link');
    expect(await tools.prepare('write_file', { path: file, content: 'x' })).toMatchObject({
      effects: [{ kind: 'write-outside', target: file }],
    });
  });

  it('APPR-04: only likely secrets and paths outside need approval to be read', async () => {
    const tools = await openTools();
    fs.writeFileSync(path.join(tools.root, '.env'), 'KEY=1');
    expect(await tools.prepare('read_file', { path: 'src/a.ts' })).toMatchObject({
      effects: [{ kind: 'read-inside' }],
    });
    expect(await tools.prepare('read_file', { path: '.env' })).toMatchObject({ effects: [{ kind: 'read-secret' }] });
    expect(await tools.prepare('read_file', { path: '/etc/hosts' })).toMatchObject({
      effects: [{ kind: 'read-outside' }],
    });
  });

  it('writes to protected paths say so before anything is there', async () => {
    const tools = await openTools();
    for (const file of ['.git/hooks/pre-commit', '.VSCode/tasks.json', '.warrant.json', '.github/workflows/ci.yml']) {
      expect(await tools.prepare('write_file', { path: file, content: 'x' })).toMatchObject({
        effects: [{ kind: 'write-protected', target: file }],
        grant: null,
      });
    }
    expect(fs.readdirSync(tools.root)).toEqual([]);
  });

  it('P5: a workspace that was opened by a link works in both spellings', async () => {
    const real = await tempFolder();
    const link = path.join(await tempFolder(), 'link');
    fs.symlinkSync(real, link);
    fs.writeFileSync(path.join(real, 'a.txt'), 'hello');
    const tools = await openTools({}, link);
    expect(tools.root).toBe(real);
    for (const file of ['a.txt', path.join(real, 'a.txt'), path.join(link, 'a.txt')]) {
      expect(await tools.prepare('read_file', { path: file })).toMatchObject({ summary: 'Read a.txt' });
    }
  });

  it('says what is wrong with a folder that cannot be opened', async () => {
    const folder = await tempFolder();
    fs.writeFileSync(path.join(folder, 'file'), '');
    await expect(openWorkspace(path.join(folder, 'none'))).rejects.toMatchObject({ code: 'project.not-found' });
    await expect(openWorkspace(path.join(folder, 'file'))).rejects.toMatchObject({ code: 'project.not-a-folder' });
  });
});

describe('reading', () => {
  it('gives exact ranges, what is left out, and how to read on', async () => {
    const tools = await openTools({ limits: { readLines: 3, readLineCharacters: 10 } });
    fs.writeFileSync(path.join(tools.root, 'a.txt'), 'one\n' + 'x'.repeat(30) + '\nthree\nfour\nfive\n');
    const first = await tools.call('read_file', { path: 'a.txt' });
    expect(first.content).toBe(
      '     1\tone\n     2\txxxxxxxxxx\n     3\tthree\n[Lines 1-3 of 5. Read on with offset 4.]\n[Long lines are cut: 1.]',
    );
    expect(first.facts).toMatchObject({ truncated: true });
    expect((await tools.call('read_file', { path: 'a.txt', offset: 4 })).content).toBe(
      '     4\tfour\n     5\tfive\n[Lines 4-5 of 5: the end.]',
    );
    expect(await tools.call('read_file', { path: 'a.txt', offset: 9 })).toMatchObject({
      status: 'error',
      content: 'Read a.txt: The file has 5 lines.',
    });
  });

  it('E7: a byte order mark is not shown, and stays in the file when it is edited', async () => {
    const tools = await openTools();
    const file = path.join(tools.root, 'bom.txt');
    fs.writeFileSync(file, '\uFEFFone\r\ntwo\r\n');
    expect((await tools.call('read_file', { path: 'bom.txt' })).content).toBe(
      '     1\tone\n     2\ttwo\n[Line ends are CRLF.]',
    );
    await tools.call('edit_file', { path: 'bom.txt', old_string: 'two\n', new_string: '2\n' });
    expect(fs.readFileSync(file)).toEqual(Buffer.from('\uFEFFone\r\n2\r\n'));
  });

  it('keeps UTF-16 in both byte orders, and refuses other bytes rather than mangling them', async () => {
    const tools = await openTools();
    const little = path.join(tools.root, 'le.txt');
    const big = path.join(tools.root, 'be.txt');
    fs.writeFileSync(little, Buffer.from('\uFEFFgrün\n', 'utf16le'));
    fs.writeFileSync(big, Buffer.from('\uFEFFgrün\n', 'utf16le').swap16());
    for (const [name, file] of [
      ['le.txt', little],
      ['be.txt', big],
    ] as const) {
      expect((await tools.call('read_file', { path: name })).content).toBe('     1\tgrün');
      await tools.call('edit_file', { path: name, old_string: 'grün', new_string: 'blåu' });
      const bytes = fs.readFileSync(file);
      expect((name === 'le.txt' ? bytes : bytes.swap16()).toString('utf16le')).toBe('\uFEFFblåu\n');
    }
    fs.writeFileSync(path.join(tools.root, 'latin'), Buffer.from([0x67, 0x72, 0xfc, 0x6e]));
    fs.writeFileSync(path.join(tools.root, 'x.png'), Buffer.from('89504e470d0a1a0a0000', 'hex'));
    expect((await tools.call('read_file', { path: 'latin' })).facts.code).toBe('workspace.not-text');
    expect((await tools.call('read_file', { path: 'x.png' })).content).toBe('Read x.png: It is a PNG image, not text.');
  });

  it('does not hang on a pipe, and reads large files by the worker', async () => {
    const tools = await openTools();
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [path.join(tools.root, 'pipe')]);
    expect((await tools.call('read_file', { path: 'pipe' })).facts.code).toBe('workspace.not-a-file');
    const line = 'x'.repeat(99) + '\n';
    fs.writeFileSync(path.join(tools.root, 'big.txt'), line.repeat(200_000));
    const page = await tools.call('read_file', { path: 'big.txt', offset: 150_000, limit: 2 });
    expect(page.content).toContain('150000\tx');
    expect(page.content).toContain('[Lines 150000-150001 of a file of 20000000 bytes. Read on with offset 150002.]');
    expect(page.facts.version).toBeUndefined();
    fs.writeFileSync(path.join(tools.root, 'middle.txt'), line.repeat(1000));
    expect((await tools.call('read_file', { path: 'middle.txt', limit: 1 })).content).toContain('[Lines 1-1 of 1000.');
  });
});

describe('changing', () => {
  it('E16: a file that was not read, or changed since, is refused with the difference', async () => {
    const tools = await openTools();
    const file = path.join(tools.root, 'a.txt');
    fs.writeFileSync(file, 'one\n');
    const unread = await tools.call('write_file', { path: 'a.txt', content: 'mine\n' });
    expect(unread.status).toBe('error');
    expect(unread.content).toContain('was not read in this chat');
    await tools.call('read_file', { path: 'a.txt' });
    fs.writeFileSync(file, 'changed by a person\n');
    const refused = await tools.call('write_file', { path: 'a.txt', content: 'mine\n' });
    expect(refused.facts.code).toBe('workspace.conflict');
    expect(refused.content).toContain('-changed by a person\n+mine');
    const edit = await tools.call('edit_file', { path: 'a.txt', old_string: 'changed', new_string: 'x' });
    expect(edit.facts.code).toBe('workspace.conflict');
    expect(fs.readFileSync(file, 'utf8')).toBe('changed by a person\n');
  });

  it('a base that changed between prepare and run is a conflict, never a recomputed change', async () => {
    const tools = await openTools();
    const file = path.join(tools.root, 'a.txt');
    fs.writeFileSync(file, 'one\n');
    await tools.call('read_file', { path: 'a.txt' });
    const prepared = await tools.prepare('edit_file', { path: 'a.txt', old_string: 'one', new_string: '1' });
    if ('refused' in prepared) throw new TypeError(prepared.content);
    fs.writeFileSync(file, 'one more\n');
    expect((await tools.run('edit_file', prepared)).facts.code).toBe('workspace.conflict');
    expect(fs.readFileSync(file, 'utf8')).toBe('one more\n');
    const created = await tools.prepare('write_file', { path: 'new.txt', content: 'x' });
    if ('refused' in created) throw new TypeError(created.content);
    fs.writeFileSync(path.join(tools.root, 'new.txt'), 'theirs');
    expect((await tools.run('write_file', created)).facts.code).toBe('workspace.conflict');
    expect(fs.readFileSync(path.join(tools.root, 'new.txt'), 'utf8')).toBe('theirs');
  });

  it('the preview, the result and the file say the same; the digest changes with the bytes', async () => {
    const tools = await openTools();
    const file = path.join(tools.root, 'a.ts');
    fs.writeFileSync(file, 'const a = 1;\n');
    fs.chmodSync(file, 0o755);
    await tools.call('read_file', { path: 'a.ts' });
    const args = { path: 'a.ts', old_string: '1', new_string: '2' };
    const prepared = await tools.prepare('edit_file', args);
    const again = await tools.prepare('edit_file', args);
    const other = await tools.prepare('edit_file', { ...args, new_string: '3' });
    if ('refused' in prepared || 'refused' in again || 'refused' in other) throw new TypeError('refused');
    expect([prepared.digest === again.digest, prepared.digest === other.digest]).toEqual([true, false]);
    const outcome = await tools.run('edit_file', prepared);
    expect(outcome.content).toBe('Edited a.ts: +1 -1');
    const diff = '--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-const a = 1;\n+const a = 2;\n';
    expect(outcome.changes).toMatchObject([{ path: 'a.ts', diff, added: 1, removed: 1 }]);
    expect(prepared.preview).toMatchObject({ type: 'diff', diff, created: false });
    expect(fs.readFileSync(file, 'utf8')).toBe('const a = 2;\n');
    expect(fs.statSync(file).mode & 0o777).toBe(0o755);
  });

  it('E5: write_file keeps the mark and the CRLF of a file that it replaces', async () => {
    const tools = await openTools();
    const file = path.join(tools.root, 'a.txt');
    fs.writeFileSync(file, '\uFEFFone\r\ntwo\r\n');
    await tools.call('read_file', { path: 'a.txt' });
    await tools.call('write_file', { path: 'a.txt', content: 'three\nfour' });
    expect(fs.readFileSync(file)).toEqual(Buffer.from('\uFEFFthree\r\nfour'));
    expect((await tools.call('write_file', { path: 'a.txt', content: 'three\nfour' })).content).toContain('already');
  });

  it('several edits are one publish, and one that fails leaves all undone', async () => {
    const tools = await openTools();
    const file = path.join(tools.root, 'a.txt');
    fs.writeFileSync(file, 'a\nb\nc\n');
    await tools.call('read_file', { path: 'a.txt' });
    const edits = [
      { old_string: 'a', new_string: 'A' },
      { old_string: 'c', new_string: 'C' },
    ];
    const bad = await tools.call('edit_file', {
      path: 'a.txt',
      edits: [...edits, { old_string: 'zz', new_string: 'y' }],
    });
    expect(bad.content).toContain('Edit 3 of 3');
    expect(fs.readFileSync(file, 'utf8')).toBe('a\nb\nc\n');
    expect((await tools.call('edit_file', { path: 'a.txt', edits })).content).toBe('Edited a.txt: +2 -2');
    expect(fs.readFileSync(file, 'utf8')).toBe('A\nb\nC\n');
  });

  it('a likely secret is not looked at before it is allowed, and then changed only as the session read it', async () => {
    const tools = await openTools();
    const file = path.join(tools.root, '.env');
    fs.writeFileSync(file, 'KEY=secret\n');
    const args = { path: '.env', old_string: 'KEY=secret', new_string: 'KEY=other' };
    const prepared = await tools.prepare('edit_file', args);
    expect(prepared).toMatchObject({ effects: [{ kind: 'write-inside' }, { kind: 'read-secret' }], grant: null });
    if ('refused' in prepared) throw new TypeError(prepared.content);
    expect((await tools.run('edit_file', prepared)).facts.code).toBe('workspace.conflict');
    await tools.call('read_file', { path: '.env' });
    expect((await tools.call('edit_file', args)).status).toBe('ok');
    expect(fs.readFileSync(file, 'utf8')).toBe('KEY=other\n');
  });

  it('FILE-10, FILE-11: closing the workspace waits for a publish that has begun', async () => {
    const root = await tempFolder();
    const workspace = await openWorkspace(root);
    const published = workspace.publish(workspace.parse('a.bin'), Buffer.alloc(4 * 1024 * 1024, 1), null);
    await workspace.close();
    await published;
    expect(fs.statSync(path.join(root, 'a.bin')).size).toBe(4 * 1024 * 1024);
    expect(fs.readdirSync(root)).toEqual(['a.bin']);
  });

  it('a closed workspace does nothing more, since its descriptor may be another folder by now', async () => {
    const root = await tempFolder();
    fs.writeFileSync(path.join(root, 'a.txt'), 'one');
    const workspace = await openWorkspace(root);
    const at = workspace.parse('a.txt');
    const { version } = await workspace.read(at, 100);
    await Promise.all([workspace.close(), workspace.close()]);
    const closed = { code: 'workspace.io' };
    await expect(workspace.read(at, 100)).rejects.toMatchObject(closed);
    await expect(workspace.list(workspace.parse('.'))).rejects.toMatchObject(closed);
    await expect(workspace.publish(at, Buffer.from('two'), version)).rejects.toMatchObject(closed);
    expect(() => workspace.rootDescriptor).toThrow(/closed/);
    await workspace.close();
    expect(fs.readFileSync(path.join(root, 'a.txt'), 'utf8')).toBe('one');
  });
});
