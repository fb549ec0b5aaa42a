// What a fenced command makes although it may not, and what git itself makes although it may: names that are not there yet,
// whole repositories, and the files of a job that git has stopped in.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROTECTED_NAMES } from '../../../src-main/policy/protected-paths.ts';
import { createConfiner } from '../../../src-main/tools/process/create-confiner.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { openTools, type OpenedTools } from '../../helpers/opened-tools.ts';

checkLeaks();

const { available, reason } = await createConfiner().probe();
const said = async (tools: OpenedTools, command: string): Promise<string> =>
  (await tools.call('shell', { command })).content;
const at = (tools: OpenedTools, file: string): string => path.join(tools.root, file);
const isThere = (tools: OpenedTools, file: string): boolean =>
  fs.lstatSync(at(tools, file), { throwIfNoEntry: false }) !== undefined;

describe.skipIf(!available)(`what a confined command leaves${available ? '' : ` (skipped: ${reason})`}`, () => {
  it('M8: a protected name that was not there is under none of its names afterwards, and nothing of it is lost', async () => {
    const tools = await openTools({ confined: true });
    const names = PROTECTED_NAMES.filter((name) => name !== '.git');
    const folders = names.map((name, n) => (n % 2 === 0 ? name : `sub/deep/${name}`));
    const script = folders.map((file) => `mkdir -p "$(dirname ${file})"; echo evil > ${file}`).join('; ');
    const content = await said(
      tools,
      `${script}; mkdir -p .github/workflows x/.VSCode; echo evil > .github/workflows/a`,
    );
    for (const file of [...folders, '.github/workflows', 'x/.VSCode']) {
      expect([file, isThere(tools, file)]).toEqual([file, false]);
      expect(content).toContain(`${file} (now ${file}.warrant-aside-`);
    }
    const kept = fs.readdirSync(tools.root).filter((name) => name.startsWith('.warrant.json.warrant-aside-'));
    expect(kept).toHaveLength(1);
    expect(fs.readFileSync(at(tools, kept[0] ?? ''), 'utf8')).toBe('evil\n');
  });

  it('what was there before stays, and so does what is made outside of the confinement', async () => {
    const tools = await openTools({ confined: true });
    fs.writeFileSync(at(tools, '.envrc'), 'mine');
    expect(await said(tools, 'echo hi')).toBe('hi\n[Exit code 0.]');
    await tools.call('shell', { command: 'mkdir .husky && echo x > .husky/a', unconfined: true, reason: 'to set up' });
    expect(await said(tools, 'cat .husky/a')).toBe('x\n[Exit code 0.]');
    expect(fs.readFileSync(at(tools, '.envrc'), 'utf8')).toBe('mine');
  });

  it('a repository that git makes stays whole; one whose configuration or hooks start something loses them', async () => {
    const tools = await openTools({ confined: true });
    const set = 'git -c user.name=x -c user.email=x';
    const content = await said(
      tools,
      `git init -q a && cd a && echo 1 > f && git add f && ${set} commit -q -m one && git worktree add -q ../w && cd .. &&
       git clone -q a b && git clone -q --bare a bare && cd b && git -c protocol.file.allow=always submodule --quiet add ../a sub`,
    );
    expect(content).toBe('[No output.]\n[Exit code 0.]');
    expect(
      await said(tools, 'git -C w status --short; git -C b/sub log --format=%s; git -C bare log --format=%s'),
    ).toBe('one\none\n[Exit code 0.]');
    const evil = await said(
      tools,
      `git init -q e; git -C e config core.fsmonitor ./evil; echo x > e/.git/hooks/pre-commit; git clone -q --bare a bare2;
       printf '[core]\\n\\tpager = evil\\n' >> bare2/config; mkdir -p n; ln -s ../e/.git n/.git; mkdir -p m;
       echo 'gitdir: ../node_modules/evil' > m/.git; mkdir -p b/.git/modules/s2; echo '[alias] x = !evil' > b/.git/modules/s2/config`,
    );
    for (const file of [
      'e/.git/config',
      'e/.git/hooks',
      'bare2/config',
      'n/.git',
      'm/.git',
      'b/.git/modules/s2/config',
    ]) {
      expect([file, isThere(tools, file), evil.includes(`${file} (now `)]).toEqual([file, false, true]);
    }
    expect(isThere(tools, 'a/.git/config')).toBe(true);
  });

  it('a stopped rebase can be gone on with, and lines in it that would start something are held back', async () => {
    const tools = await openTools({ confined: true });
    const run = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args], {
        cwd: tools.root,
        encoding: 'utf8',
      });
    run('init', '-q', '-b', 'main');
    const commit = (text: string): void => {
      fs.writeFileSync(at(tools, 'f'), text);
      run('add', 'f');
      run('commit', '-q', '-m', text);
    };
    commit('base');
    run('checkout', '-q', '-b', 'side');
    commit('side');
    run('checkout', '-q', 'main');
    commit('main');
    run('checkout', '-q', 'side');
    const rebase = 'GIT_EDITOR=true git -c user.name=x -c user.email=x@y rebase';
    const stopped = await said(tools, `${rebase} main; true`);
    expect(stopped).toContain('CONFLICT');
    expect(stopped).not.toContain('It made');
    const todo = at(tools, '.git/rebase-merge/git-rebase-todo');
    expect(fs.existsSync(todo)).toBe(true);
    for (const line of ['exec touch pwned', 'x touch pwned', 'unknown words', 'pick abc\\n\\texec touch pwned']) {
      const content = await said(tools, `printf '${line}\\n' >> .git/rebase-merge/git-rebase-todo`);
      expect(content).toContain('.git/rebase-merge/git-rebase-todo (now ');
      expect(fs.existsSync(todo)).toBe(false);
      fs.writeFileSync(todo, '');
    }
    for (const [file, text] of [
      ['rebase-merge/strategy', 'evil'],
      ['sequencer/opts', '[options]\\n\\tstrategy = evil'],
      ['rebase-apply/author-script', "GIT_AUTHOR_NAME='x'; touch pwned"],
    ] as const) {
      const content = await said(tools, `mkdir -p .git/$(dirname ${file}); printf "${text}\\n" > .git/${file}`);
      expect(content).toContain(`.git/${file} (now `);
    }
    for (const name of ['sequencer', 'rebase-apply']) fs.rmSync(at(tools, `.git/${name}`), { recursive: true });
    expect(await said(tools, `echo both > f; git add f; ${rebase} --continue; git log -1 --format=%s`)).toContain(
      'side',
    );
    expect(fs.existsSync(at(tools, '.git/rebase-merge'))).toBe(false);
  });

  it('lines that a person put there stay', async () => {
    const tools = await openTools({ confined: true });
    const todo = at(tools, '.git/rebase-merge/git-rebase-todo');
    await said(tools, 'git init -q .');
    fs.mkdirSync(path.dirname(todo));
    fs.writeFileSync(todo, 'exec npm test\npick abc\n');
    expect(await said(tools, 'sed -i 2d .git/rebase-merge/git-rebase-todo')).not.toContain('It made');
    expect(fs.readFileSync(todo, 'utf8')).toBe('exec npm test\n');
  });

  it('a shell that stays is looked at after each command and at its end', async () => {
    const tools = await openTools({ confined: true });
    const first = await tools.call('shell_session', { command: 'echo evil > .envrc' });
    expect(first.content).toContain('.envrc (now ');
    await tools.call('shell_session', {
      command: 'while [ ! -e go ]; do sleep 0.05; done; echo evil > .envrc &',
      timeout_ms: 100,
    });
    fs.writeFileSync(at(tools, 'go'), '');
    await expect.poll(() => isThere(tools, '.envrc'), { timeout: 60_000 }).toBe(true);
    await tools.call('shell_session', { stop: true });
    expect(isThere(tools, '.envrc')).toBe(false);
  });
});
