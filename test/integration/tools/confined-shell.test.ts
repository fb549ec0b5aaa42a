// The shell tool inside its fence, on machines that have one.
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConfiner } from '../../../src-main/tools/process/create-confiner.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { openTools } from '../../helpers/opened-tools.ts';
import type { OpenedTools } from '../../helpers/opened-tools.ts';

checkLeaks();

const confiner = createConfiner();
const { available, reason } = await confiner.probe();

const said = async (tools: OpenedTools, command: string): Promise<string> =>
  (await tools.call('shell', { command })).content;

describe.skipIf(!available)(`a confined command${available ? '' : ` (skipped: ${reason})`}`, () => {
  it('is prepared as confined, and runs so', async () => {
    const tools = await openTools({ confined: true });
    const prepared = await tools.prepare('shell', { command: 'echo hi' });
    expect(prepared).toMatchObject({ confined: true, effects: [{ kind: 'command' }], grant: { tool: 'shell' } });
    expect(await tools.call('shell', { command: 'echo hi; exit 3' })).toMatchObject({
      status: 'error',
      content: 'hi\n[Exit code 3.]',
      facts: { exitCode: 3, confined: true },
    });
    expect(await tools.prepare('shell', { command: 'echo hi' }, { confinement: false })).toMatchObject({
      confined: false,
    });
  });

  it('writes in the workspace, and nowhere else', async () => {
    const tools = await openTools({ confined: true });
    await said(
      tools,
      'echo in > made; for f in /etc /usr /opt; do echo out > $f/warrant-escape; done; echo x > ~/x; echo y > /tmp/y',
    );
    expect(fs.readFileSync(path.join(tools.root, 'made'), 'utf8')).toBe('in\n');
    for (const folder of ['/etc', '/usr', '/opt'])
      expect(fs.existsSync(path.join(folder, 'warrant-escape'))).toBe(false);
    expect(fs.existsSync('/tmp/y')).toBe(false);
  });

  it('does not see likely secrets, ignored ones included, nor the home folder', async () => {
    const tools = await openTools({ confined: true });
    fs.writeFileSync(path.join(tools.root, '.env'), 'TOKEN=hidden-token');
    fs.writeFileSync(path.join(tools.root, '.gitignore'), '.env\ndeep\n');
    fs.mkdirSync(path.join(tools.root, 'deep/.ssh'), { recursive: true });
    fs.writeFileSync(path.join(tools.root, 'deep/.ssh/id_rsa'), 'hidden-token');
    const seen = await said(tools, 'cat .env deep/.ssh/id_rsa; grep -r hidden-token . ; ls -A ~; true');
    expect(seen).not.toContain('hidden-token');
    expect(fs.readFileSync(path.join(tools.root, '.env'), 'utf8')).toBe('TOKEN=hidden-token');
  });

  it('cannot change what runs later in repositories below, in submodules and worktrees, nor move them away', async () => {
    const tools = await openTools({ confined: true });
    const at = (file: string): string => path.join(tools.root, file);
    await said(tools, 'git init -q . && git init -q a/b && mkdir -p .git/modules/c/d wt .git/worktrees/wt');
    fs.rmSync(at('.git/hooks'), { recursive: true });
    for (const file of ['.git/modules/c/d/config', 'wt/.git', '.git/worktrees/wt/commondir'])
      fs.writeFileSync(at(file), 'as it was');
    const kept = ['.git/modules/c/d/config', 'a/b/.git/config', 'wt/.git', '.git/worktrees/wt/commondir'];
    const before = kept.map((file) => fs.readFileSync(at(file), 'utf8'));
    const hooks = ['.git/hooks/pre-commit', 'a/b/.git/hooks/pre-commit'];
    await said(tools, 'mv .git/modules/c/d/config x; mv a z; mkdir -p a/b/.git; mv .git/modules m; mv wt/.git y; true');
    for (const file of [...kept, ...hooks]) await said(tools, `mkdir -p $(dirname ${file}); echo evil > ${file}`);
    expect(kept.map((file) => fs.readFileSync(at(file), 'utf8'))).toEqual(before);
    for (const file of hooks) expect(fs.existsSync(at(file))).toBe(false);
    expect(await said(tools, 'git -c user.name=x -c user.email=x commit -q --allow-empty -m x && echo yes')).toContain(
      'yes',
    );
  });

  it('leaves no file by which git would take its configuration from elsewhere, and says so', async () => {
    const tools = await openTools({ confined: true });
    const commondir = path.join(tools.root, '.git/commondir');
    await said(tools, 'git init -q . && mkdir evil');
    expect(await said(tools, 'echo ../evil > .git/commondir')).toContain(
      '.git/commondir (taken away), by which programs',
    );
    expect(fs.existsSync(commondir)).toBe(false);
    const kept = await tools.call('shell_session', { command: 'ln -s ../evil/file .git/commondir' });
    expect(kept.content).toContain('taken away');
    expect(fs.lstatSync(commondir, { throwIfNoEntry: false })).toBeUndefined();
    await tools.call('shell_session', { command: '(sleep 1; echo ../evil > .git/commondir) & true' });
    await tools.call('shell_session', { command: 'sleep 2; echo', timeout_ms: 10_000 });
    await tools.call('shell_session', { stop: true });
    expect(fs.existsSync(commondir)).toBe(false);
  });

  it('runs in a folder whose .git is a file, and cannot change it', async () => {
    const tools = await openTools({ confined: true });
    fs.writeFileSync(path.join(tools.root, '.git'), 'gitdir: /elsewhere\n');
    expect(await said(tools, 'echo hi; mv .git x; echo evil > .git; true')).toContain('hi');
    expect(fs.readFileSync(path.join(tools.root, '.git'), 'utf8')).toBe('gitdir: /elsewhere\n');
  });

  it('cannot change what runs later: hooks and configuration of git, tasks of editors', async () => {
    const tools = await openTools({ confined: true });
    await said(tools, 'git init -q . && mkdir -p .git/hooks');
    fs.mkdirSync(path.join(tools.root, '.vscode'));
    fs.writeFileSync(path.join(tools.root, '.vscode/tasks.json'), '{}');
    const before = fs.readFileSync(path.join(tools.root, '.git/config'), 'utf8');
    const commands = [
      'echo evil > .git/hooks/pre-commit',
      'echo evil >> .git/config',
      'mv .git .git2',
      'rm -rf .git/hooks',
      'mv .vscode other',
      'echo evil > .vscode/tasks.json',
    ];
    for (const command of commands) {
      expect((await tools.call('shell', { command })).status, command).toBe('error');
    }
    expect(fs.readdirSync(path.join(tools.root, '.git/hooks')).filter((name) => name === 'pre-commit')).toEqual([]);
    expect(fs.readFileSync(path.join(tools.root, '.git/config'), 'utf8')).toBe(before);
    expect(fs.readFileSync(path.join(tools.root, '.vscode/tasks.json'), 'utf8')).toBe('{}');
  });

  it('commits with the author that the person set', async () => {
    const { tempFolder } = await import('../../helpers/temp-folder.ts');
    const home = await tempFolder();
    fs.writeFileSync(path.join(home, '.gitconfig'), '[user]\n\tname = Ada Example\n\temail = ada@example.org\n');
    const tools = await openTools({ confined: true, home });
    const command =
      'git init -q . && echo x > a && git add a && git commit -q -m first && git log -1 --format="%an %ae"';
    expect(await said(tools, command)).toContain('Ada Example ada@example.org');
  });

  it('has no network, and gets it only by asking', async () => {
    const server = http.createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const script = `require('http').get('http://127.0.0.1:${port}/',r=>r.pipe(process.stdout)).on('error',e=>console.log(e.code))`;
    const tools = await openTools({ confined: true, path: path.dirname(process.execPath) });
    const command = `node -e "${script}"`;
    expect(await said(tools, command)).not.toContain('reached');
    const asked = { command, network: true, reason: 'to look' };
    expect(await tools.prepare('shell', asked)).toMatchObject({
      effects: [{ kind: 'command-network' }],
      grant: null,
      confined: true,
    });
    expect((await tools.call('shell', asked)).content).toContain('reached');
  });

  it('EXEC-07: leaves no process behind, not even one that left its group', async () => {
    const tools = await openTools({ confined: true });
    const mark = `warrant-survivor-${process.pid}`;
    const command = `setsid sh -c 'exec -a ${mark} sleep 600' 2>/dev/null & setsid sh -c 'sleep 601; echo ${mark}' & sleep 0.1; echo done`;
    expect((await tools.call('shell', { command })).content).toContain('done');
    const left = (): string[] =>
      fs.readdirSync('/proc').filter((name) => {
        if (!/^\d+$/.test(name)) return false;
        try {
          return fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(mark);
        } catch {
          return false;
        }
      });
    await expect.poll(left).toEqual([]);
  });

  it('gets a moment to end well when it is stopped, and ends in any case', async () => {
    const tools = await openTools({ confined: true });
    const gentle = await tools.call('shell', {
      command: "trap 'echo ending; exit 5' TERM; while :; do sleep 0.02; done",
      timeout_ms: 500,
    });
    expect(gentle.content).toContain('ending');
    expect(gentle.facts).toMatchObject({ timedOut: true, exitCode: 5 });
    const stubborn = await tools.call('shell', {
      command: "trap '' TERM; while :; do sleep 0.02; done",
      timeout_ms: 300,
    });
    expect(stubborn.facts).toMatchObject({ timedOut: true, exitCode: null });
  });

  it('a fence that fails is told apart from a command that fails, and nothing is run', async () => {
    const tools = await openTools({ confined: true });
    const { runProcess } = await import('../../../src-main/tools/process/run-process.ts');
    const outcome = await runProcess({
      command: {
        program: '/usr/bin/bwrap',
        arguments: ['--json-status-fd', '3', '--ro-bind', '/no/such', '/x', '/bin/true'],
        descriptors: ['status'],
      },
      cwd: tools.root,
      environment: {},
      timeoutMs: 5000,
      signal: new AbortController().signal,
      capture: { headBytes: 1000, tailBytes: 0, spillBytes: 0, spillFolder: '', spillId: 'x' },
      tell: () => {},
    });
    expect(outcome).toMatchObject({ type: 'fence-failed', exitCode: null });
    expect(outcome.reason).toContain('/no/such');
    const command = await tools.call('shell', { command: 'exit 1' });
    expect(command.facts).toMatchObject({ exitCode: 1 });
    expect(command.facts.code).toBeUndefined();
  });
});

describe('a machine that cannot confine', () => {
  it('says so, and never runs a command as if it were confined', async () => {
    const tools = await openTools();
    expect(await tools.prepare('shell', { command: 'ls' })).toMatchObject({
      confined: false,
      effects: [{ kind: 'command-unconfinable' }],
      grant: null,
    });
    expect(() => createConfiner().wrap({ program: '/bin/true', arguments: [] }, {} as never)).toThrow(/confin/);
  });
});
