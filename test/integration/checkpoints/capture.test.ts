// What a checkpoint holds: every byte of what is kept, and nothing that runs or reads what the project says about git.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkpointRig, copyOf, write, type CheckpointRig } from '../../helpers/checkpoint-rig.ts';

const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'core.fsmonitor=false', ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
  });

/** Keeps the files, lets them be changed, puts all back; gives the tree before, changed and after. */
async function roundTrip(
  rig: CheckpointRig,
  change: () => void,
): Promise<{ before: string[]; changed: string[]; after: string[] }> {
  const before = copyOf(rig.folder);
  const id = await rig.begin('turn');
  change();
  await rig.end('turn');
  const changed = copyOf(rig.folder);
  const { kept } = await rig.restore([id]);
  expect(kept).toEqual([]);
  return { before, changed, after: copyOf(rig.folder) };
}

const sh = (folder: string, script: string): string =>
  execFileSync('/bin/bash', ['-c', script], { cwd: folder, encoding: 'utf8' });

describe.each(['git', 'plain'] as const)('a checkpoint in a %s store', (kind) => {
  it('gives back bytes, links, permissions and empty folders, whatever a command did to them', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, {
      'src/a.ts': 'one\n',
      'crlf.txt': 'a\r\nb\r\n',
      'mixed.txt': 'a\r\nb\nc\r',
      'blob.bin': Buffer.from([0, 255, 254, 13, 10, 0, 26]),
      empty: '',
      'run.sh': '#!/bin/sh\n',
      'secret.key': 'k',
    });
    fs.chmodSync(path.join(rig.folder, 'run.sh'), 0o755);
    fs.chmodSync(path.join(rig.folder, 'secret.key'), 0o600);
    fs.mkdirSync(path.join(rig.folder, 'hollow/inner'), { recursive: true });
    fs.symlinkSync('src/a.ts', path.join(rig.folder, 'link'));
    fs.symlinkSync('/nowhere/at/all', path.join(rig.folder, 'dangling'));
    fs.symlinkSync('src', path.join(rig.folder, 'folder-link'));
    const { before, changed, after } = await roundTrip(rig, () => {
      sh(rig.folder, 'sed -i s/one/two/ src/a.ts; printf "a\\nb\\n" > crlf.txt; rm blob.bin empty');
      sh(rig.folder, 'chmod 644 run.sh; rm secret.key; rmdir hollow/inner hollow; ln -sfn other link; rm dangling');
      sh(
        rig.folder,
        'rm folder-link; mkdir folder-link; echo x > folder-link/y; mv mixed.txt moved.txt; mkdir -p new/deep',
      );
    });
    expect(changed).not.toEqual(before);
    expect(after).toEqual(before);
  });

  it('gives back names with line ends, quotes and bytes that are no UTF-8', async () => {
    const rig = await checkpointRig({ kind });
    const odd = (name: (string | number)[]): Buffer =>
      Buffer.concat([
        Buffer.from(`${rig.folder}/`),
        ...name.map((part) => Buffer.from(typeof part === 'string' ? part : [part])),
      ]);
    const names = [
      odd(['line\nend']),
      odd(['tab\t"quote"\\']),
      odd(['caf', 0xe9]),
      odd([0xff, 0xfe, ' ', 0x80]),
      odd(['-n']),
    ];
    for (const name of names) fs.writeFileSync(name, 'old');
    fs.mkdirSync(odd(['dir', 0xf0]));
    fs.writeFileSync(Buffer.concat([odd(['dir', 0xf0]), Buffer.from('/in\nside')]), 'old');
    fs.symlinkSync(Buffer.from([0x74, 0xff]), odd(['to', 0xfc]));
    const { before, changed, after } = await roundTrip(rig, () => {
      for (const name of names) fs.rmSync(name);
      fs.writeFileSync(names[0] ?? '', 'new');
      fs.rmSync(odd(['dir', 0xf0]), { recursive: true });
      fs.rmSync(odd(['to', 0xfc]));
      fs.writeFileSync(odd(['fresh', 0xfb]), 'new');
    });
    expect(changed).not.toEqual(before);
    expect(after).toEqual(before);
  });

  it('holds what lies in nested repositories, without a commit too, and in submodules, and never touches a .git', async () => {
    const rig = await checkpointRig({ kind });
    git(rig.folder, 'init', '-q');
    write(rig.folder, { 'a.txt': 'a', 'nested/b.txt': 'b', 'bare-start/c.txt': 'c' });
    git(path.join(rig.folder, 'nested'), 'init', '-q');
    git(path.join(rig.folder, 'nested'), 'add', '.');
    git(path.join(rig.folder, 'nested'), 'commit', '-qm', 'x');
    // R1's cause: a repository without a commit, on which git's own `add` of everything fails.
    git(path.join(rig.folder, 'bare-start'), 'init', '-q');
    write(rig.folder, { 'sub/d.txt': 'd', 'sub/.git': 'gitdir: ../.git/modules/sub\n' });
    const { before, after } = await roundTrip(rig, () => {
      write(rig.folder, { 'nested/b.txt': 'B', 'bare-start/c.txt': 'C', 'sub/d.txt': 'D', 'nested/new.txt': 'n' });
      git(path.join(rig.folder, 'nested'), 'add', '.');
    });
    expect(after).toEqual(before);
    expect(fs.readFileSync(path.join(rig.folder, 'sub/.git'), 'utf8')).toContain('modules/sub');
    // What was staged stays staged: git's own state is not a file of the project's.
    expect(git(path.join(rig.folder, 'nested'), 'status', '--porcelain')).toContain('new.txt');
  });

  it('leaves out what git ignores, by rules at every level, and keeps what git has all the same', async () => {
    const rig = await checkpointRig({ kind });
    git(rig.folder, 'init', '-q');
    write(rig.folder, {
      '.gitignore': 'node_modules/\n*.log\n!keep.log\n/dist\n',
      'node_modules/x/index.js': 'x',
      'a.log': 'a',
      'keep.log': 'k',
      'dist/tracked.js': 't',
      'dist/other.js': 'o',
      'lib/.gitignore': 'gen\n',
      'lib/gen': 'g',
      '.git/info/exclude': 'private\n',
      private: 'p',
    });
    git(rig.folder, 'add', '-f', 'dist/tracked.js');
    const id = await rig.begin('turn');
    sh(
      rig.folder,
      'for f in node_modules/x/index.js a.log keep.log dist/tracked.js dist/other.js lib/gen private; do echo new > $f; done',
    );
    await rig.end('turn');
    const { files } = await rig.plan([id]);
    expect(files.map((file) => file.path)).toEqual(['dist/tracked.js', 'keep.log']);
  });

  it('keeps a file that git ignores once a call names it, in the first call and in later ones', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, { '.gitignore': '.env*\nbuild/\n', '.env': 'A=1\n', 'build/out.txt': 'o\n', 'a.txt': 'a\n' });
    const before = copyOf(rig.folder);
    const id = await rig.begin('turn', ['.env']);
    write(rig.folder, { '.env': 'A=2\n' });
    expect(await rig.begin('turn', ['build/out.txt'])).toBe(id);
    write(rig.folder, { 'build/out.txt': 'O\n' });
    await rig.begin('turn', ['build/fresh.txt']);
    write(rig.folder, { 'build/fresh.txt': 'f\n' });
    await rig.end('turn');
    const { restored } = await rig.restore([id]);
    expect(restored).toEqual(['.env', 'build/fresh.txt', 'build/out.txt']);
    expect(copyOf(rig.folder)).toEqual(before);
  });

  it('R2: takes the rules of the repository around the project, and of its paths only those inside', async () => {
    const rig = await checkpointRig({ kind, at: 'repository/web' });
    const top = path.dirname(rig.folder);
    git(top, 'init', '-q');
    write(top, {
      '.gitignore': 'cache/\n/web/generated\n',
      'other/o.txt': 'o',
      'web/cache/c': 'c',
      'web/generated': 'g',
      'web/a.txt': 'a',
    });
    write(top, { 'web/tracked/cache/t.txt': 't' });
    git(top, 'add', '-f', 'web/tracked/cache/t.txt');
    const id = await rig.begin('turn');
    sh(top, 'for f in other/o.txt web/cache/c web/generated web/a.txt web/tracked/cache/t.txt; do echo new > $f; done');
    await rig.end('turn');
    expect((await rig.restore([id])).restored).toEqual(['a.txt', 'tracked/cache/t.txt']);
    expect(fs.readFileSync(path.join(top, 'other/o.txt'), 'utf8')).toBe('new\n');
  });

  it('holds all of a project that the repository around it ignores', async () => {
    const rig = await checkpointRig({ kind, at: 'home/code/mine' });
    const home = path.dirname(path.dirname(rig.folder));
    git(home, 'init', '-q');
    write(home, { '.gitignore': '*\n', 'code/mine/a.txt': 'a', 'code/mine/b/c.txt': 'c' });
    const { before, changed, after } = await roundTrip(rig, () => sh(rig.folder, 'rm -r b; echo A > a.txt'));
    expect(changed).not.toEqual(before);
    expect(after).toEqual(before);
  });

  it('names files that are too large or may not be read, and goes around them', async () => {
    const rig = await checkpointRig({ kind, guard: { largestFile: 1000 } });
    write(rig.folder, { 'large.bin': Buffer.alloc(1001), 'small.txt': 's' });
    execFileSync('mkfifo', [path.join(rig.folder, 'pipe')]);
    const id = await rig.begin('turn');
    write(rig.folder, { 'large.bin': Buffer.alloc(2000), 'small.txt': 'S' });
    await rig.end('turn');
    const [row] = rig.store.list({ projectId: rig.project.id, sessionId: rig.sessionId });
    expect(row).toMatchObject({ skipped: 2, changed: 2 });
    const { files } = await rig.plan([id]);
    expect(files.map(({ path: file, blocked }) => [file, blocked])).toEqual([
      ['large.bin', 'It is too large to be kept.'],
      ['small.txt', null],
    ]);
    const { restored, kept } = await rig.restore([id]);
    expect(restored).toEqual(['small.txt']);
    expect(kept).toEqual([{ path: 'large.bin', why: 'It is too large to be kept.' }]);
    expect(fs.statSync(path.join(rig.folder, 'large.bin')).size).toBe(2000);
    expect(fs.lstatSync(path.join(rig.folder, 'pipe')).isFIFO()).toBe(true);
  });

  it('lets nothing run that the project says to git, nor reads the environment or a configuration', async () => {
    const rig = await checkpointRig({ kind });
    const ran = path.join(rig.data, 'ran');
    const evil = `touch ${ran}; cat`;
    git(rig.folder, 'init', '-q');
    for (const [key, value] of [
      ['filter.evil.clean', evil],
      ['filter.evil.smudge', evil],
      ['filter.evil.process', evil],
      ['core.fsmonitor', `touch ${ran}`],
      ['core.hooksPath', path.join(rig.folder, 'hooks')],
      ['core.autocrlf', 'true'],
      ['diff.evil.textconv', evil],
      ['core.sshCommand', evil],
    ] as const) {
      git(rig.folder, 'config', key, value);
    }
    write(rig.folder, {
      '.gitattributes': '* filter=evil diff=evil text=auto eol=crlf ident working-tree-encoding=UTF-16\n',
      'a.txt': 'a\r\nb\n$Id$\n',
      'b.txt': 'b\n',
    });
    for (const hook of ['pre-commit', 'post-index-change', 'reference-transaction', 'post-checkout']) {
      write(rig.folder, {
        [`hooks/${hook}`]: `#!/bin/sh\ntouch ${ran}\n`,
        [`.git/hooks/${hook}`]: `#!/bin/sh\ntouch ${ran}\n`,
      });
      for (const at of ['hooks', '.git/hooks']) fs.chmodSync(path.join(rig.folder, at, hook), 0o755);
    }
    const variables: Record<string, string> = {
      GIT_DIR: path.join(rig.folder, '.git'),
      GIT_WORK_TREE: rig.folder,
      GIT_INDEX_FILE: path.join(rig.folder, 'index-of-mine'),
      GIT_OBJECT_DIRECTORY: path.join(rig.folder, 'objects-of-mine'),
      GIT_EXEC_PATH: path.join(rig.folder, 'hooks'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: `touch ${ran}`,
      GIT_TRACE: path.join(rig.folder, 'trace'),
    };
    for (const [name, value] of Object.entries(variables)) {
      const former = process.env[name];
      process.env[name] = value;
      onTestFinished(() => {
        if (former === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = former;
      });
    }
    const { before, after } = await roundTrip(rig, () => {
      fs.writeFileSync(path.join(rig.folder, 'a.txt'), 'A\n');
      fs.rmSync(path.join(rig.folder, 'b.txt'));
    });
    expect(after).toEqual(before);
    expect(fs.existsSync(ran)).toBe(false);
    // The trap is one: git itself, asked about that folder, does what it says there.
    execFileSync('git', ['status', '--porcelain'], {
      cwd: rig.folder,
      env: { PATH: process.env['PATH'], HOME: rig.data },
      stdio: 'ignore',
    });
    expect(fs.existsSync(ran)).toBe(true);
  });

  it('never looks behind a link, also where a folder becomes one', async () => {
    const rig = await checkpointRig({ kind });
    const outside = path.join(rig.data, 'outside');
    write(outside, { 'precious.txt': 'outside' });
    write(rig.folder, { 'd/precious.txt': 'inside' });
    const id = await rig.begin('turn');
    fs.rmSync(path.join(rig.folder, 'd'), { recursive: true });
    fs.symlinkSync(outside, path.join(rig.folder, 'd'));
    await rig.end('turn');
    expect((await rig.restore([id])).kept).toEqual([]);
    expect(fs.readFileSync(path.join(outside, 'precious.txt'), 'utf8')).toBe('outside');
    expect(fs.readFileSync(path.join(rig.folder, 'd/precious.txt'), 'utf8')).toBe('inside');
    expect(fs.lstatSync(path.join(rig.folder, 'd')).isDirectory()).toBe(true);
  });

  it('leaves the data folder out where it lies in the project', async () => {
    const rig = await checkpointRig({ kind });
    const inside = path.join(rig.folder, 'data');
    const { CheckpointStore } = await import('../../../src-main/tools/checkpoint/checkpoint-store.ts');
    const { CHECKPOINT_GUARD } = await import('../../../src-main/tools/checkpoint/checkpoint-jobs.ts');
    write(rig.folder, { 'a.txt': 'a', 'data/warrant.db': 'db' });
    const store = new CheckpointStore({
      ...{ folder: path.join(inside, 'checkpoints'), dataFolder: inside, guard: CHECKPOINT_GUARD },
      searchPath: kind === 'git' ? '/usr/local/bin:/usr/bin:/bin' : '',
    });
    const { project, sessionId } = rig;
    const input = { project, sessionId, checkpointId: 'c' as never, turnId: 't' as never, also: [] };
    await store.capture(input, { stopped: () => false, late: () => false });
    write(rig.folder, { 'a.txt': 'A', 'data/warrant.db': 'more' });
    const { files } = await store.plan({
      project,
      sessionId,
      checkpointIds: ['c' as never],
      paths: null,
      others: true,
    });
    expect(files.map((file) => file.path)).toEqual(['a.txt']);
  });
});
