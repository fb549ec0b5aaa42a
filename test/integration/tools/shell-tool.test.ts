// The shell tool with real processes, unconfined: groups, output, stops, survivors.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { openTools } from '../../helpers/opened-tools.ts';

checkLeaks();

const alive = (pid: number): boolean => {
  try {
    return !/^State:\tZ/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** The pid that a command wrote into a file of the workspace. */
const pidIn = (file: string): number => Number(fs.readFileSync(file, 'utf8'));

describe('a command', () => {
  it('S4: without output is an empty result with its exit code', async () => {
    const tools = await openTools();
    expect(await tools.call('shell', { command: 'exit 1' })).toMatchObject({
      status: 'error',
      content: '[No output.]\n[Exit code 1.]',
      facts: { exitCode: 1, timedOut: false, survivors: 0, confined: false },
    });
    expect((await tools.call('shell', { command: 'true' })).status).toBe('ok');
  });

  it('S14, S16: reaches the shell byte for byte', async () => {
    const tools = await openTools();
    const command =
      "cat <<'MY-MARK' | cat\n\\\\b 'single' \"double\" $HOME `x`  two\tends \nMY-MARK\ntrue | true; { echo x; }; echo $0 | cat";
    expect((await tools.call('shell', { command })).content).toBe(
      '\\\\b \'single\' "double" $HOME `x`  two\tends \nx\n/bin/sh\n[Exit code 0.]',
    );
    expect(await tools.prepare('shell', { command })).toMatchObject({
      preview: { type: 'command', command, cwd: tools.root },
      effects: [{ kind: 'command-unconfinable', target: command }],
    });
  });

  it('S17: single quotes in a quoted heredoc stay as they are', async () => {
    const tools = await openTools();
    const command = "cat > f <<'EOF'\nprint('hello')\n\"it's\" \\'x\\' $y\nEOF";
    expect((await tools.call('shell', { command })).status).toBe('ok');
    const written = fs.readFileSync(path.join(tools.root, 'f'), 'utf8');
    expect(written).toBe("print('hello')\n\"it's\" \\'x\\' $y\n");
  });

  it('S7, S19: sees nothing of this process, and an editor or a password question fails', async () => {
    process.env['WARRANT_STORED_KEY'] = 'sk-secret';
    const tools = await openTools({ variables: { EXTRA: 'yes' } });
    const { content } = await tools.call('shell', {
      command: 'env; $GIT_SEQUENCE_EDITOR x || echo refused; tty || true',
    });
    delete process.env['WARRANT_STORED_KEY'];
    expect(content).not.toContain('sk-secret');
    expect(content).toContain('EXTRA=yes');
    expect(content).toContain('GIT_TERMINAL_PROMPT=0');
    expect(content).toContain('LC_ALL=C.UTF-8');
    expect(content).toContain('refused');
    expect(content).toContain('not a tty');
  });

  it('S1: returns when the shell ends although a background job holds the pipe, and ends that job', async () => {
    const tools = await openTools();
    const outcome = await tools.call('shell', { command: 'sleep 600 & echo $! > pid; echo done' });
    expect(outcome.content).toBe('done\n[Exit code 0.]');
    await expect.poll(() => alive(pidIn(path.join(tools.root, 'pid')))).toBe(false);
  });

  it('S2: a process that left the group is bounded, named and can be stopped', async () => {
    const tools = await openTools();
    const command = "setsid sh -c 'echo $$ > pid; exec sleep 600' & while [ ! -s pid ]; do sleep 0.01; done; echo done";
    const outcome = await tools.call('shell', { command });
    const pid = pidIn(path.join(tools.root, 'pid'));
    onTestFinished(() => {
      if (alive(pid)) process.kill(pid, 'SIGKILL');
    });
    expect(outcome.content).toMatch(new RegExp(`^done\\n.*Left running outside its process group: ${pid} \\(`, 's'));
    expect(outcome.facts).toMatchObject({ survivors: 1, exitCode: 0 });
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => alive(pid)).toBe(false);
  });

  it('S5: stop ends a command that traps the signal, with all of its group', async () => {
    const tools = await openTools();
    const stop = new AbortController();
    const command = "trap '' INT TERM; sleep 600 & echo $! > pid; echo $$ > own; while :; do sleep 0.05; done";
    const running = tools.call('shell', { command }, { signal: stop.signal });
    await expect.poll(() => fs.existsSync(path.join(tools.root, 'own'))).toBe(true);
    stop.abort();
    expect(await running).toMatchObject({ status: 'cancelled', facts: { timedOut: false } });
    for (const file of ['pid', 'own']) await expect.poll(() => alive(pidIn(path.join(tools.root, file)))).toBe(false);
  });

  it('EXEC-04: runs in a process group of its own', async () => {
    const tools = await openTools();
    const { content } = await tools.call('shell', { command: 'cut -d" " -f1,5 /proc/$$/stat' });
    const [pid, group] = (content.split('\n')[0] ?? '').split(' ');
    expect(group).toBe(pid);
    const own = fs.readFileSync('/proc/self/stat', 'utf8').split(' ')[4];
    expect(group).not.toBe(own);
  });

  it('EXEC-06: the whole group ends at its time limit, when it is stopped, and when its leader has ended', async () => {
    const tools = await openTools();
    const stop = new AbortController();
    const background = (name: string) => `sleep 600 & echo $! > ${name}; (sleep 600 & echo $! > ${name}2; wait) & `;
    const stopped = tools.call('shell', { command: `${background('a')} wait` }, { signal: stop.signal });
    await expect.poll(() => fs.existsSync(path.join(tools.root, 'a2'))).toBe(true);
    stop.abort();
    expect((await stopped).status).toBe('cancelled');
    const late = await tools.call('shell', { command: `${background('b')} wait`, timeout_ms: 400 });
    expect(late.facts.timedOut).toBe(true);
    const ended = await tools.call('shell', { command: `${background('c')} while [ ! -s c2 ]; do sleep 0.01; done` });
    expect(ended.facts.exitCode).toBe(0);
    for (const name of ['a', 'a2', 'b', 'b2', 'c', 'c2']) {
      await expect.poll(() => alive(pidIn(path.join(tools.root, name))), { message: name }).toBe(false);
    }
  });

  it('EXEC-08: is stopped at its time limit, gets a moment to end well, and says so', async () => {
    const tools = await openTools();
    const outcome = await tools.call('shell', {
      command: "trap 'echo ending; exit 5' TERM; echo begun; while :; do sleep 0.02; done",
      timeout_ms: 300,
    });
    expect(outcome).toMatchObject({ status: 'error', facts: { timedOut: true, exitCode: 5, code: 'tool.timed-out' } });
    expect(outcome.content).toMatch(/^begun\n.*ending\n\[Stopped: it ran longer than 300 ms\.\]$/s);
    const prepared = await tools.prepare('shell', { command: 'true', timeout_ms: 99_999_999 });
    expect(prepared).toMatchObject({ preview: { timeoutMs: 120_000 } });
  });

  it('S11, EXEC-09: long output keeps its head and its tail, counts the rest, and all of it can be read on', async () => {
    const tools = await openTools({ limits: { shellOutputHeadBytes: 1000, shellOutputTailBytes: 1000 } });
    const outcome = await tools.call('shell', { command: 'echo ERROR AT THE TOP; seq 1 100000' });
    const total = 17 + 588_895;
    expect(outcome.facts).toMatchObject({ truncated: true, outputBytes: total });
    const id = outcome.facts.outputId ?? '';
    expect(outcome.content).toMatch(/^ERROR AT THE TOP\n1\n2\n/);
    expect(outcome.content).toContain(
      `[… ${total - 2000} of ${total} bytes are left out here; read_file output:${id} reads all of it …]`,
    );
    expect(outcome.content).toMatch(/\n99999\n100000\n\[Exit code 0\.\]$/);
    expect(fs.statSync(path.join(tools.outputFolder, id)).mode & 0o777).toBe(0o600);
    expect(await tools.prepare('read_file', { path: `output:${id}` })).toMatchObject({
      effects: [{ kind: 'read-inside' }],
    });
    const page = await tools.call('read_file', { path: `output:${id}`, offset: 50_000, limit: 2 });
    expect(page.content).toContain(' 50000\t49999\n 50001\t50000\n');
  });

  it('nothing but kept outputs can be read by their ids', async () => {
    const tools = await openTools();
    fs.mkdirSync(tools.outputFolder);
    fs.symlinkSync('/etc/passwd', path.join(tools.outputFolder, 'link'));
    expect((await tools.call('read_file', { path: 'output:link' })).status).toBe('error');
    expect((await tools.call('read_file', { path: 'output:none' })).facts.code).toBe('workspace.not-found');
    // Not an id, so it is an ordinary name in the workspace.
    expect((await tools.call('read_file', { path: 'output:../x' })).facts.code).toBe('workspace.not-found');
    expect((await tools.call('read_file', { path: 'output:x/../../y' })).facts.code).toBe('workspace.invalid-path');
  });

  it('S8, S10: gigabytes of output do not grow memory', async () => {
    const tools = await openTools({ limits: { shellSpillBytes: 1024 * 1024 } });
    const before = process.memoryUsage().rss;
    const outcome = await tools.call('shell', { command: 'head -c 1000000000 /dev/zero' });
    expect(outcome.facts.outputBytes).toBe(1_000_000_000);
    expect(outcome.content).toContain('[Binary output of 1000000000 bytes is not shown');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('tells live output while it runs, in updates that are not one a line: at most 20 a second', async () => {
    const tools = await openTools();
    const heard: string[] = [];
    const command = 'i=0; while [ $i -lt 5000 ]; do echo $i; i=$((i+1)); done; sleep 0.2; echo end';
    const began = performance.now();
    await tools.call('shell', { command }, { output: (text) => heard.push(text) });
    const seconds = (performance.now() - began) / 1000;
    expect(heard.join('').trimEnd().endsWith('end')).toBe(true);
    expect(heard.length).toBeGreaterThan(1);
    // One more for what was left at the end.
    expect(heard.length).toBeLessThanOrEqual(20 * seconds + 1);
  });

  it('that could not run is refused or says why', async () => {
    const tools = await openTools();
    for (const args of [{ command: ' ' }, { command: 'a\0b' }, { command: 'x'.repeat(200_000) }]) {
      expect((await tools.call('shell', args)).facts.code).toBe('tool.invalid-arguments');
    }
    expect((await tools.call('shell', { command: 'ls', network: true })).content).toContain('need a reason');
    expect((await tools.call('shell', { command: 'no-such-program-here' })).facts.exitCode).toBe(127);
  });

  it('asks for more only by its own arguments', async () => {
    const tools = await openTools();
    const kinds = async (args: object): Promise<string[]> => {
      const prepared = await tools.prepare('shell', { command: 'curl https://x', reason: 'why', ...args });
      return 'refused' in prepared ? [prepared.content] : prepared.effects.map(({ kind }) => kind);
    };
    expect(await kinds({})).toEqual(['command-unconfinable']);
    expect(await kinds({ unconfined: true })).toEqual(['command-unconfined']);
    expect(await kinds({ network: true })).toEqual(['command-unconfinable', 'command-network']);
  });

  it('that makes a protected name has it told, once', async () => {
    const tools = await openTools();
    const made = await tools.call('shell', { command: 'mkdir .vscode; echo {} > .vscode/tasks.json; echo x > plain' });
    expect(made.content).toContain('[It made .vscode: what is in there may run later.');
    expect((await tools.call('shell', { command: 'true' })).content).toBe('[No output.]\n[Exit code 0.]');
  });

  it('that removes the workspace itself still says what it said', async () => {
    const tools = await openTools();
    expect(await tools.call('shell', { command: 'rm -rf "$PWD"; echo gone' })).toMatchObject({
      status: 'ok',
      content: 'gone\n[Exit code 0.]',
    });
    expect((await tools.call('read_file', { path: 'a' })).status).toBe('error');
  });
});
