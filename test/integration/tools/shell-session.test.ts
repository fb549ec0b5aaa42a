// The shell that stays between calls: what it keeps, how it ends, and that it obeys what the one-shot shell obeys.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createConfiner } from '../../../src-main/tools/process/create-confiner.ts';
import { createPolicy } from '../../../src-main/policy/rules.ts';
import { loadShellGrammar } from '../../../src-main/policy/shell-grammar.ts';
import { proposes, says, startChatServer } from '../../helpers/chat-server.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { openTools } from '../../helpers/opened-tools.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { codeOf, startTestApp, valueOf } from '../../helpers/test-app.ts';

checkLeaks();

const { available: confines } = await createConfiner().probe();

const alive = (pid: number): boolean => {
  try {
    return !/^State:\tZ/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('a shell that stays', () => {
  it('EXEC-10: keeps its folder and variables, gives each exit code, and reads what was written byte for byte', async () => {
    const tools = await openTools();
    const run = async (command: string) => (await tools.call('shell_session', { command })).content;
    expect(await run('mkdir sub; cd sub; x="a  b"; f() { echo "f $1"; }')).toBe('[No output.]\n[Exit code 0.]');
    expect(await run('pwd; echo "$x"; f 1; (exit 3)')).toBe(`${tools.root}/sub\na  b\nf 1\n[Exit code 3.]`);
    expect(await run("cat <<'E'\nit's \\b $x `y`\nE")).toBe("it's \\b $x `y`\n[Exit code 0.]");
    expect(await run('echo err >&2; printf "no end"')).toBe('err\nno end\n[Exit code 0.]');
    expect((await tools.call('shell_session', { command: 'if' })).status).toBe('error');
    expect(await run('echo still here')).toBe('still here\n[Exit code 0.]');
    expect(await run('exit 4')).toBe('[No output.]\n[Exit code 4.]\n[The shell has ended.]');
    expect(await run('echo "new: $x"')).toBe('new:\n[Exit code 0.]');
  });

  it('a command that goes on can be waited for, given a line, and ended', async () => {
    const tools = await openTools();
    const asks = await tools.call('shell_session', {
      command: 'echo begun; read line; echo "got $line"',
      timeout_ms: 300,
    });
    expect(asks).toMatchObject({ status: 'ok' });
    expect(asks.content).toContain('begun');
    expect(asks.content).toContain('It runs still');
    expect((await tools.call('shell_session', { command: 'ls' })).content).toContain('A command runs still');
    expect((await tools.call('shell_session', { input: 'pears' })).content).toBe('got pears\n[Exit code 0.]');
    expect((await tools.call('shell_session', { input: 'x' })).content).toContain('Nothing runs');
    await tools.call('shell_session', { command: 'sleep 600 & echo $! > pid; echo $$ > own; wait', timeout_ms: 300 });
    const pids = ['pid', 'own'].map((name) => Number(fs.readFileSync(path.join(tools.root, name), 'utf8')));
    expect(pids.map(alive)).toEqual([true, true]);
    expect((await tools.call('shell_session', { stop: true })).content).toBe('[The shell has ended.]');
    for (const pid of pids) await expect.poll(() => alive(pid)).toBe(false);
  });

  it.skipIf(!confines)(
    'a line for what runs outside of the fence, or with the network, asks for that again',
    async () => {
      const tools = await openTools({ confined: true });
      const begin = { command: 'read line; echo "got $line"', timeout_ms: 300, reason: 'a test' };
      const line = { input: 'touch /tmp/x' };
      for (const [more, kind] of [
        [{ unconfined: true }, 'command-unconfined'],
        [{ network: true }, 'command-network'],
      ] as const) {
        const early = await tools.prepare('shell_session', line);
        await tools.call('shell_session', { ...begin, ...more });
        expect(await tools.prepare('shell_session', line)).toMatchObject({
          effects: [{ kind, target: 'touch /tmp/x' }],
          preview: { network: true, confined: kind === 'command-network' },
          confined: kind === 'command-network',
        });
        if ('refused' in early) throw new TypeError(early.content);
        expect((await tools.run('shell_session', early)).content).toContain('Nothing was given to it');
        expect((await tools.call('shell_session', line)).content).toBe('got touch /tmp/x\n[Exit code 0.]');
        await tools.call('shell_session', { stop: true });
      }
    },
  );

  it('a stopped call ends it, with all of its group', async () => {
    const tools = await openTools();
    const stop = new AbortController();
    const command = "trap '' TERM; sleep 600 & echo $! > pid; wait";
    const running = tools.call('shell_session', { command }, { signal: stop.signal });
    await expect.poll(() => fs.existsSync(path.join(tools.root, 'pid'))).toBe(true);
    const pid = Number(fs.readFileSync(path.join(tools.root, 'pid'), 'utf8'));
    stop.abort();
    expect((await running).status).toBe('cancelled');
    await expect.poll(() => alive(pid)).toBe(false);
  });

  it('MODE-14: where commands cannot be confined, both shells say so to the gate', async () => {
    const tools = await openTools();
    const unconfinable = [{ kind: 'command-unconfinable', target: 'ls' }];
    for (const tool of ['shell', 'shell_session']) {
      expect(await tools.prepare(tool, { command: 'ls' }), tool).toMatchObject({
        effects: unconfinable,
        confined: false,
      });
      const more = { command: 'ls', network: true, unconfined: true, reason: 'needs it' };
      const { effects } = (await tools.prepare(tool, more)) as { effects: readonly { kind: string }[] };
      expect(
        effects.map(({ kind }) => kind),
        tool,
      ).toEqual(['command-unconfined', 'command-network']);
      expect(await tools.prepare(tool, { command: 'ls', network: true }), tool).toMatchObject({ refused: true });
    }
    // Nothing can be granted ahead: the same words may mean something else later.
    expect(await tools.prepare('shell_session', { command: 'ls' })).toMatchObject({ grant: null });
  });

  it.runIf(confines)('is inside the same fence, and another one is begun for more', async () => {
    const tools = await openTools({ confined: true });
    fs.writeFileSync(path.join(tools.root, '.env'), 'SECRET=1\n');
    const run = async (args: object) => (await tools.call('shell_session', args)).content;
    expect(await run({ command: 'x=1; cat .env; echo out > /etc/warrant-escape || echo refused' })).toContain(
      'refused',
    );
    expect(fs.existsSync('/etc/warrant-escape')).toBe(false);
    const inside = await run({ command: 'echo "x=$x"; cat .env' });
    expect(inside).toMatch(/^x=1\n/);
    expect(inside).not.toContain('SECRET');
    const more = await run({ command: 'echo "x=$x"', unconfined: true, reason: 'a test' });
    expect(more).toBe('[A new shell was begun: this needs another confinement.]\nx=\n[Exit code 0.]');
  });

  it('rules that forbid hold for it; rules that allow words do not, as words may mean something else in it', async () => {
    await loadShellGrammar();
    const policy = createPolicy([
      { id: 'a', effect: 'allow', match: 'shell:ls *' },
      { id: 'd', effect: 'deny', match: 'shell:rm' },
    ]);
    const judge = (args: object) => policy.judge({ tool: 'shell_session', args, effects: [] })?.effect ?? 'none';
    expect([judge({ command: 'ls a' }), judge({ command: 'ls; rm x' }), judge({ input: 'rm x' }), judge({})]).toEqual([
      'none',
      'deny',
      'deny',
      'none',
    ]);
  });

  it.skipIf(!confines)(
    `CONF-31: is off until it is switched on, and ends with its stop, a change of mode or tools, a rewind and the chat${confines ? '' : ' (skipped: commands cannot be confined here, so each asks)'}`,
    async () => {
      const folder = await tempFolder();
      const names = ['one', 'two', 'three', 'four', 'five'];
      const begin = (name: string) =>
        proposes([
          'shell_session',
          { command: `sleep 600 & echo $! > ${name}; while read line; do echo "got $line"; done`, timeout_ms: 300 },
        ]);
      const server = await startChatServer(...names.flatMap((name) => [begin(name), says('k')]));
      const test = await startTestApp(await tempFolder());
      const { window } = test;
      const { toolNames } = valueOf(await window.app.getState({}));
      expect(toolNames.find(({ name }) => name === 'shell_session')).toMatchObject({ default: 'off' });
      const { id: projectId } = valueOf(await window.projects.open({ path: folder }));
      const plain = valueOf(await window.sessions.create({ projectId, model: server.model, mode: 'auto' }));
      const offered = valueOf(await window.sessions.getAuthority({ sessionId: plain.id })).tools;
      expect(offered.some(({ name }) => name === 'shell_session')).toBe(false);

      valueOf(await window.settings.update({ patch: { tools: { shell_session: 'allow' }, confinement: false } }));
      const { id } = valueOf(await window.sessions.create({ projectId, model: server.model, mode: 'auto' }));
      const view = async () => valueOf(await window.sessions.open({ sessionId: id }));
      expect((await view()).shell).toBe(null);
      const pidOf = async (name: string): Promise<number> => {
        valueOf(await window.sessions.submit({ sessionId: id, text: name }));
        await test.app.sessions.get(id)?.idle();
        const pid = Number(fs.readFileSync(path.join(folder, name), 'utf8'));
        expect(alive(pid)).toBe(true);
        return pid;
      };
      const gone = async (pid: number): Promise<void> => {
        await expect.poll(() => alive(pid)).toBe(false);
        await expect.poll(async () => (await view()).shell).toBe(null);
      };

      const one = await pidOf('one');
      expect((await view()).shell).toMatchObject({ running: true, confined: false, network: false });
      valueOf(await window.shells.send({ sessionId: id, line: 'pears' }));
      await expect.poll(async () => (await view()).shell?.recent).toContain('got pears');
      expect((await view()).shell?.recent).toContain('[A person gave it the line "pears".]');
      valueOf(await window.shells.stop({ sessionId: id }));
      await gone(one);
      expect(codeOf(await window.shells.send({ sessionId: id, line: 'x' }))).toBe('process.not-running');
      valueOf(await window.shells.stop({ sessionId: id }));

      const two = await pidOf('two');
      valueOf(await window.sessions.setMode({ sessionId: id, mode: 'ask' }));
      await gone(two);
      valueOf(await window.sessions.setMode({ sessionId: id, mode: 'auto' }));

      const three = await pidOf('three');
      const enabled = (await view()).authority.tools.filter((tool) => tool.enabled).map(({ name }) => name);
      const without = enabled.filter((name) => name !== 'grep');
      valueOf(await window.sessions.setEnabledTools({ sessionId: id, tools: without }));
      await gone(three);

      const four = await pidOf('four');
      const message = (await view()).entries.findLast(({ kind }) => kind === 'user-message');
      if (message === undefined) throw new TypeError('no message');
      valueOf(await window.sessions.rewind({ sessionId: id, to: { type: 'before', entryId: message.id } }));
      await gone(four);

      const five = await pidOf('five');
      await test.close();
      expect(alive(five)).toBe(false);
      await server.stop();
    },
  );
});
