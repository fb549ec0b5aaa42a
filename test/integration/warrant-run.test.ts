// `warrant run` and `warrant resume` as programs use them, on real packages that are picked by a hash, so that nothing is
// fitted to one folder.
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createConfiner } from '../../src-main/tools/process/create-confiner.ts';
import { eventsOf, runWarrant } from '../helpers/run-warrant.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const modules = path.resolve(import.meta.dirname, '../../node_modules');

/** Five packages with a manifest of their own, the first ones by the hash of their names. */
async function fivePackages(): Promise<string[]> {
  const names = (await readdir(modules)).filter((name) => /^[a-z]/.test(name));
  const withManifest: string[] = [];
  for (const name of names) {
    const manifest = await readFile(path.join(modules, name, 'package.json'), 'utf8').catch(() => '{}');
    const { name: own, description } = JSON.parse(manifest) as { name?: string; description?: string };
    const readable = await stat(path.join(modules, name)).then((info) => info.isDirectory());
    if (own === name && description && readable) withManifest.push(name);
  }
  const hash = (name: string): string => createHash('sha256').update(name).digest('hex');
  return withManifest.sort((a, b) => (hash(a) < hash(b) ? -1 : 1)).slice(0, 5);
}

const packages = await fivePackages();
/** Where commands cannot be confined, each is asked for and no rule allows it. */
const { available: confines } = await createConfiner().probe();

describe('warrant run with the guide', () => {
  it.each(packages)('summarises, finds, replaces and runs in %s', async (name) => {
    const data = await tempFolder();
    const folder = path.join(await tempFolder(), name);
    await cp(path.join(modules, name), folder, {
      recursive: true,
      filter: (from) => !from.slice(modules.length + 1).includes('node_modules'),
    });
    const manifest = path.join(folder, 'package.json');
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
    const run = (...words: string[]) => runWarrant(data, ['run', '--project', folder, '--model', 'guide', ...words]);

    const summary = await run('summarise this project');
    expect([summary.code, summary.err]).toEqual([0, expect.stringContaining('ok')]);
    expect(summary.out).toContain(name);
    expect(summary.out).toContain(version);

    const found = await run(`find "${version}"`);
    expect(found.code).toBe(0);
    expect(found.out).toContain(version);

    const replaced = await run(
      '--mode',
      'auto',
      `replace "\\"version\\": \\"${version}\\"" by "\\"version\\": \\"9.9.9\\"" in package.json`,
    );
    const after = await readFile(manifest, 'utf8');
    if (replaced.out.includes('9.9.9') && after.includes('9.9.9'))
      expect(JSON.parse(after)).toMatchObject({ version: '9.9.9' });
    else expect(after).toContain(version);

    const ran = await run('--allow', 'shell:echo pears > made', 'run echo pears > made');
    expect(ran.code).toBe(0);
    const made = await readFile(path.join(folder, 'made'), 'utf8').catch(() => ran.out + ran.err);
    if (confines) expect(made).toBe('pears\n');
    else expect(made).toContain('cannot be confined');
  });

  it('denies what it would have to ask when nobody is there, says how to allow it, and changes nothing', async () => {
    const data = await tempFolder();
    const folder = await tempFolder();
    const ran = await runWarrant(data, ['run', '--project', folder, '--model', 'guide', 'create made.txt with pears']);
    expect(ran.code).toBe(0);
    expect(ran.out + ran.err).toContain('--allow');
    expect(await readdir(folder)).toEqual([]);
  });

  it('APPR-08, APPR-09: stops where an approval is needed with --suspend, and goes on with the answer in another process', async () => {
    const data = await tempFolder();
    const folder = await tempFolder();
    const stopped = await runWarrant(data, [
      'run',
      '--project',
      folder,
      '--model',
      'guide',
      '--suspend',
      '--json',
      'run touch made',
    ]);
    expect(stopped.code).toBe(3);
    const end = eventsOf(stopped).at(-1) as { sessionId: string; outcome: { callIds: string[] } };
    const call = end.outcome.callIds[0] ?? '';
    expect(await readdir(folder)).toEqual([]);

    const other = await runWarrant(data, ['resume', end.sessionId, '--allow', 'another-call']);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('does not wait')]);
    const went = await runWarrant(data, ['resume', end.sessionId, '--allow', call]);
    expect(went.code).toBe(0);
    expect(await readdir(folder)).toEqual(['made']);
    const again = await runWarrant(data, ['resume', end.sessionId, '--allow', call]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('waits for nothing')]);
  });

  it('APPR-10: a waiting call without a decision counts as denied', async () => {
    const data = await tempFolder();
    const folder = await tempFolder();
    const stopped = await runWarrant(data, [
      'run',
      '--project',
      folder,
      '--model',
      'guide',
      '--suspend',
      '--json',
      'run touch made',
    ]);
    const end = eventsOf(stopped).at(-1) as { sessionId: string; outcome: { callIds: string[] } };
    const went = await runWarrant(data, ['resume', end.sessionId]);
    expect(went.code).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });

  it('prints one JSON event a line, ended by the outcome, and an error as one too', async () => {
    const data = await tempFolder();
    const folder = await tempFolder();
    await writeFile(path.join(folder, 'README.md'), '# Pears\n');
    const ran = await runWarrant(data, ['run', '--project', folder, '--model', 'guide', '--json', 'read README.md']);
    const events = eventsOf(ran);
    expect(events[0]).toMatchObject({ type: 'run-start' });
    expect(events.at(-1)).toMatchObject({ type: 'run-end', outcome: { type: 'completed' } });
    const wrong = await runWarrant(data, ['run', '--project', path.join(folder, 'none'), '--json', 'hi']);
    expect(wrong.code).toBe(1);
    expect(eventsOf(wrong)).toMatchObject([{ type: 'error', error: { code: 'project.not-found' } }]);
  });

  it('goes on in the newest chat of the folder with --last', async () => {
    const data = await tempFolder();
    const folder = await tempFolder();
    const first = await runWarrant(data, ['run', '--project', folder, '--model', 'guide', '--json', 'help']);
    const second = await runWarrant(data, ['run', '--project', folder, '--last', '--json', 'help']);
    expect(eventsOf(second)[0]).toEqual(eventsOf(first)[0]);
  });

  it('ends quietly as stopped when whoever reads its answer goes away, and the chat is whole', async () => {
    const data = await tempFolder();
    const folder = await tempFolder();
    await writeFile(path.join(folder, 'long.txt'), 'a line of words\n'.repeat(3000));
    const words = ['run', '--project', folder, '--model', 'guide'];
    const ran = await runWarrant(data, [...words, 'read long.txt'], {}, { closeOutput: true });
    expect(ran.code).not.toBeNull();
    expect(ran.err).not.toMatch(/EPIPE|at .*\.(ts|js)/);
    const again = await runWarrant(data, ['run', '--project', folder, '--last', 'help']);
    expect([again.code, again.err]).toEqual([0, '']);
  });

  it('S19: a key from the environment is never given to a command', async (context) => {
    if (!confines) context.skip('commands cannot be confined here, so nobody could allow one');
    const data = await tempFolder();
    const folder = await tempFolder();
    const ran = await runWarrant(
      data,
      ['run', '--project', folder, '--model', 'guide', '--mode', 'auto', '--allow', 'shell', 'run env'],
      { ANTHROPIC_API_KEY: 'canary-key', OPENROUTER_API_KEY: 'canary-key' },
    );
    expect(ran.code).toBe(0);
    expect(ran.out + ran.err).toContain('PATH=');
    expect(ran.out + ran.err).not.toContain('canary-key');
  });
});
