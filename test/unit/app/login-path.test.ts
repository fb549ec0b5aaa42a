import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LoginPath, startedFromDesktop } from '../../../src-main/app/login-path.ts';
import type { Logger } from '../../../src-main/base/logger.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { startTestApp, valueOf } from '../../helpers/test-app.ts';

interface Made {
  readonly folder: string;
  readonly noted: string[];
  open(limitMs?: number): LoginPath;
}

/** A shell that is a script; it is given what a real one would be. */
async function withShell(script: string): Promise<Made> {
  const folder = await tempFolder();
  const shell = path.join(folder, 'shell');
  await writeFile(shell, `#!/bin/sh\n${script}\n`);
  await chmod(shell, 0o755);
  const noted: string[] = [];
  const logger: Logger = { info: (text) => noted.push(text), error: (text) => noted.push(text) };
  const environment = { PATH: '/usr/bin:/bin', HOME: folder, SECRET: 'canary' };
  return {
    folder,
    noted,
    open: (limitMs = 10_000) =>
      new LoginPath({ file: path.join(folder, 'login-path'), environment, logger, shell, limitMs }),
  };
}
/** What a shell does with `-i -l -c WORDS`: its start files, then the words. */
const STARTED =
  'echo welcome; PATH=/opt/tools/bin:$PATH; export PATH; SECRET=other; export SECRET; eval "$4"; echo bye';

describe('PATH of the login shell', () => {
  it('is read between what start files print, is kept for this user alone, and is there at the next start', async () => {
    const made = await withShell(`echo "$@" > "$HOME/args"; ${STARTED}`);
    const first = made.open();
    expect(first.current).toBeNull();
    await first.refresh();
    expect(first.current).toBe('/opt/tools/bin:/usr/bin:/bin');
    expect(await readFile(path.join(made.folder, 'args'), 'utf8')).toMatch(/^-i -l -c /);
    const kept = path.join(made.folder, 'login-path');
    expect(await readFile(kept, 'utf8')).toBe('/opt/tools/bin:/usr/bin:/bin\n');
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    expect(made.open().current).toBe('/opt/tools/bin:/usr/bin:/bin');
    expect(made.noted).toEqual([]);
  });

  it('is asked for once, however often it is wanted', async () => {
    const made = await withShell(`echo run >> "$HOME/runs"; ${STARTED}`);
    const one = made.open();
    await Promise.all([one.refresh(), one.refresh()]);
    await one.refresh();
    expect(await readFile(path.join(made.folder, 'runs'), 'utf8')).toBe('run\n');
  });

  it('a shell that hangs, fails, prints nonsense or is not there is noted once and changes nothing', async () => {
    const cases: [string, RegExp, number][] = [
      ['sleep 60 & sleep 60', /did not answer in time/, 300],
      ['exit 7', /ended with 7 and named none/, 10_000],
      ['mark=${4#echo }; mark=${mark%%;*}; echo $mark; echo PATH=nothing; echo $mark', /named none/, 10_000],
      ['yes', /did not answer in time/, 300],
    ];
    for (const [script, words, limitMs] of cases) {
      const made = await withShell(script);
      await writeFile(path.join(made.folder, 'login-path'), '/kept/bin\n');
      const one = made.open(limitMs);
      await one.refresh();
      await one.refresh();
      expect(made.noted, script).toEqual([expect.stringMatching(words)]);
      expect(one.current).toBe('/kept/bin');
    }
    const made = await withShell('exit');
    await chmod(path.join(made.folder, 'shell'), 0o644);
    await made.open().refresh();
    expect(made.noted).toEqual([expect.stringMatching(/was not started/)]);
  });

  it('a kept file that is no PATH is not used', async () => {
    const made = await withShell('exit 1');
    await writeFile(path.join(made.folder, 'login-path'), 'rm -rf\n/bin');
    expect(made.open().current).toBeNull();
  });

  it('is wanted after a start from a desktop, not from a terminal, and never on Windows', () => {
    expect(startedFromDesktop({}, 'linux')).toBe(true);
    expect(startedFromDesktop({ TERM: '' }, 'darwin')).toBe(true);
    expect(startedFromDesktop({ TERM: 'xterm-256color' }, 'linux')).toBe(false);
    expect(startedFromDesktop({}, 'win32')).toBe(false);
  });
});

describe('commands of a chat', () => {
  it('EXEC-02: find the tools of the login shell, and get nothing else of it', async () => {
    const made = await withShell('echo; PATH=$HOME/tools:relative:$HOME/../up:$PATH; export PATH SECRET; eval "$4"');
    const project = path.join(made.folder, 'project');
    await mkdir(project);
    await mkdir(path.join(made.folder, 'tools'));
    const tool = path.join(made.folder, 'tools/pear-tool');
    await writeFile(tool, '#!/bin/sh\necho "found; $PATH; $SECRET." > found\n');
    await chmod(tool, 0o755);
    const loginPath = made.open();
    const test = await startTestApp(await tempFolder(), { loginPath });
    valueOf(await test.window.app.getState({}));
    valueOf(await test.window.app.reportReady({ sinceStartMs: 1 }));
    await loginPath.refresh();
    const { id: projectId } = valueOf(await test.window.projects.open({ path: project }));
    const { id } = valueOf(await test.window.sessions.create({ projectId, model: 'guide' }));
    valueOf(await test.window.sessions.open({ sessionId: id }));
    valueOf(await test.window.sessions.setConfinement({ sessionId: id, on: false }));
    valueOf(await test.window.sessions.submit({ sessionId: id, text: 'run pear-tool' }));
    const asked = await test.until((event) => event.type === 'approval-request');
    if (asked.type !== 'approval-request') throw new TypeError('no approval');
    const { callId, digest } = asked.approval;
    valueOf(await test.window.approvals.answer({ sessionId: id, callId, digest, answer: 'allow-once' }));
    await test.until((event) => event.type === 'turn-end');
    expect(existsSync(path.join(project, 'found'))).toBe(true);
    const found = await readFile(path.join(project, 'found'), 'utf8');
    expect(found).toMatch(new RegExp(`^found; ${made.folder}/tools:/usr/bin:/bin:`));
    expect(found).toMatch(/; \.$/m);
    expect(found).not.toContain('relative');
    expect(found).not.toContain('..');
    await test.close();
  });
});
