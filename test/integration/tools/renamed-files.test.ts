// A file that a command renames or copies through git has two paths, and both are told; odd names included.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openDataStore } from '../../../src-main/app/open-data-store.ts';
import { proposes, says, startChatServer } from '../../helpers/chat-server.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { startTestApp, valueOf } from '../../helpers/test-app.ts';

it('F8: what git moves or copies is listed by its old and its new path, and put back by both', async () => {
  const folder = await tempFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x', ...args], { cwd: folder });
  const put = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  };
  const lines = 'one\ntwo\nthree\n'.repeat(20);
  for (const name of ['old name.txt', 'kept.txt', 'a b/c -> d.txt']) put(name, `${name}\n${lines}`);
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  const command = `mkdir -p 'x b' && git mv 'old name.txt' 'x b/y.txt' && git mv 'a b/c -> d.txt' 'R100' && cp kept.txt copied.txt && git add -A && git config status.renames copies`;
  const server = await startChatServer(proposes(['shell', { command }]), says('Moved.'));
  const data = await tempFolder();
  const test = await startTestApp(data, { store: await openDataStore({ folder: data, thread: 'own' }) });
  valueOf(await test.window.app.getState({}));
  valueOf(await test.window.settings.update({ patch: { confinement: false, checkpoints: true } }));
  const { id: projectId } = valueOf(await test.window.projects.open({ path: folder }));
  const { id: sessionId } = valueOf(
    await test.window.sessions.create({ projectId, model: server.model, mode: 'auto' }),
  );
  valueOf(await test.window.sessions.open({ sessionId }));
  valueOf(await test.window.sessions.submit({ sessionId, text: 'move them' }));
  await test.app.sessions.get(sessionId)?.idle();
  const list = async () => valueOf(await test.window.checkpoints.list({ sessionId })).checkpoints;
  await expect.poll(async () => (await list())[0]?.changed ?? null).not.toBe(null);
  const [checkpoint] = await list();
  if (!checkpoint?.id) throw new TypeError('no checkpoint');
  const checkpointId = checkpoint.id;
  const changes = valueOf(await test.window.checkpoints.readChanges({ sessionId, checkpointId }));
  // The folder that became empty is told too.
  const files = changes.filter((file) => file.path !== 'a b');
  expect(files.map((file) => [file.path, file.change])).toEqual([
    ['R100', 'added'],
    ['a b/c -> d.txt', 'removed'],
    ['copied.txt', 'added'],
    ['old name.txt', 'removed'],
    ['x b/y.txt', 'added'],
  ]);
  const scope = { type: 'turn', checkpointId } as const;
  const plan = valueOf(await test.window.checkpoints.plan({ sessionId, scope }));
  const paths = plan.files.map((file) => file.path);
  valueOf(await test.window.checkpoints.restore({ sessionId, scope, shown: plan.shown, paths }));
  expect(fs.readFileSync(path.join(folder, 'old name.txt'), 'utf8')).toBe(`old name.txt\n${lines}`);
  expect(['x b/y.txt', 'R100', 'copied.txt'].filter((file) => fs.existsSync(path.join(folder, file)))).toEqual([]);
  await test.close();
  await server.stop();
});
