import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostQuestion } from '../../../src-main/app/host.ts';
import type { ProviderSetting } from '../../../src-main/contract/models.ts';
import { channelOf } from '../../../src-main/contract/channels.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { codeOf, startTestApp, valueOf, type TestApp } from '../../helpers/test-app.ts';

const provider = (keyCommand: string, more: Partial<ProviderSetting> = {}): ProviderSetting => ({
  ...{ id: 'shop', wire: 'openai-compatible', label: 'Shop', baseUrl: 'http://127.0.0.1:9/v1', models: ['pear'] },
  ...{ keyCommand, keyVariable: '', ...more },
});

/** The app with a system that asks; every question is kept and answered by `answer`. */
async function asking(answer: (question: HostQuestion) => boolean | Promise<boolean>, folder?: string) {
  const test = await startTestApp(folder ?? (await tempFolder()));
  const asked: HostQuestion[] = [];
  const confirm = async (question: HostQuestion): Promise<boolean> => {
    asked.push(question);
    return answer(question);
  };
  Object.assign(test.host, { confirm });
  return { test, asked };
}
const save = (test: TestApp, setting: ProviderSetting) => test.window.models.saveProvider({ provider: setting });
const stored = async (test: TestApp): Promise<string[]> =>
  valueOf(await test.window.settings.get({})).providers.map((one) => one.keyCommand);

describe('a command that prints a key', () => {
  it('is asked about outside of the page with its exact text and where the key goes, and stored after a yes', async () => {
    const { test, asked } = await asking(() => true);
    valueOf(await save(test, provider('pass show shop\u202e')));
    expect(asked).toMatchObject([{ verbatim: 'pass show shop\u202e' }]);
    expect(asked[0]?.message).toContain('http://127.0.0.1:9/v1');
    expect(await stored(test)).toEqual(['pass show shop\u202e']);
    await test.close();
  });

  it('is not stored and not run after a no; what was there stays', async () => {
    const made = path.join(await tempFolder(), 'ran');
    const { test } = await asking((question) => !question.verbatim.startsWith('touch'));
    valueOf(await save(test, provider('echo key')));
    expect(codeOf(await save(test, provider(`touch ${made}`)))).toBe('settings.command-refused');
    expect(await stored(test)).toEqual(['echo key']);
    await test.window.models.test({ model: 'openai-compatible:pear@http://127.0.0.1:9/v1' });
    expect(existsSync(made)).toBe(false);
    await test.close();
  });

  it('is asked about again when it, its address or its service changes, and not when anything else does', async () => {
    const { test, asked } = await asking(() => true);
    valueOf(await save(test, provider('echo key')));
    valueOf(await save(test, provider('echo key', { label: 'Orchard', models: ['plum'] })));
    expect(asked).toHaveLength(1);
    valueOf(await save(test, provider('echo other')));
    valueOf(await save(test, provider('echo other', { baseUrl: 'http://127.0.0.1:10/v1' })));
    valueOf(await save(test, provider('echo other', { id: 'second', baseUrl: 'http://127.0.0.1:10/v1' })));
    expect(asked).toHaveLength(4);
    await test.close();
  });

  it('cannot be set from a window where the system asks nothing, and the answer says where it can be', async () => {
    const folder = await tempFolder();
    const test = await startTestApp(folder);
    expect(valueOf(await test.window.app.getState({})).keyCommands).toBe(false);
    const answer = await save(test, provider('echo key'));
    expect(codeOf(answer)).toBe('settings.command-refused');
    expect(answer.ok ? '' : answer.error.message).toContain(path.join(folder, 'settings.json'));
    expect(await stored(test)).toEqual([]);
    valueOf(await save(test, provider('')));
    await test.close();
  });

  it('that stands in the settings file is used without a question, and stays when its service is edited', async () => {
    const folder = await tempFolder();
    const settings = { version: 1, providers: [provider('echo key')] };
    await writeFile(path.join(folder, 'settings.json'), JSON.stringify(settings));
    const test = await startTestApp(folder);
    valueOf(await save(test, provider('echo key', { models: ['pear', 'plum'] })));
    expect(await stored(test)).toEqual(['echo key']);
    await test.close();
  });

  it('comes in by no other way: a change of the settings takes no services', async () => {
    const { test, asked } = await asking(() => true);
    const patch = { providers: [provider('touch /tmp/never')] };
    const answer = await test.transport.send(
      channelOf('settings', 'update'),
      { patch },
      { windowId: 1, trusted: true },
    );
    expect(codeOf(answer)).toBe('ipc.invalid-input');
    expect([asked, await stored(test)]).toEqual([[], []]);
    await test.close();
  });

  it('is asked about one at a time, so that questions cannot pile up, and not when it is too long to be read', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { test, asked } = await asking(() => promise);
    const first = save(test, provider('echo one'));
    expect(codeOf(await save(test, provider('echo two')))).toBe('settings.command-refused');
    resolve(true);
    valueOf(await first);
    expect(codeOf(await save(test, provider(`echo ${'x'.repeat(400)}`)))).toBe('settings.command-refused');
    expect(asked.map((question) => question.verbatim)).toEqual(['echo one']);
    await test.close();
  });
});

describe('a variable that holds a key', () => {
  const openRouter = { baseUrl: 'https://openrouter.ai/api/v1/', keyVariable: 'OPENROUTER_API_KEY' };

  it('of a known service goes to that service without a question, and to no other address', async () => {
    const { test, asked } = await asking(() => false);
    valueOf(await save(test, provider('', openRouter)));
    expect(asked).toEqual([]);
    const moved = provider('', { ...openRouter, baseUrl: 'https://openrouter.ai.example.com/api/v1' });
    expect(codeOf(await save(test, moved))).toBe('settings.command-refused');
    expect(codeOf(await save(test, provider('', { ...openRouter, keyVariable: 'PATH' })))).toBe(
      'settings.command-refused',
    );
    expect(asked.map(({ verbatim }) => verbatim)).toEqual(['OPENROUTER_API_KEY', 'PATH']);
    expect(asked[0]?.message).toContain('openrouter.ai.example.com');
    expect(valueOf(await test.window.settings.get({})).providers).toMatchObject([openRouter]);
    await test.close();
  });

  it('of any other service is asked about once, and again when it or its address changes', async () => {
    const { test, asked } = await asking(() => true);
    const own = { keyVariable: 'SHOP_KEY' };
    valueOf(await save(test, provider('', own)));
    valueOf(await save(test, provider('', { ...own, label: 'Orchard' })));
    expect(asked).toHaveLength(1);
    valueOf(await save(test, provider('', { ...own, baseUrl: 'http://127.0.0.1:10/v1' })));
    expect(asked).toHaveLength(2);
    await test.close();
  });

  it('cannot be set from a window where the system asks nothing, but for the usual ones', async () => {
    const folder = await tempFolder();
    const test = await startTestApp(folder);
    const answer = await save(test, provider('', { keyVariable: 'PATH' }));
    expect(codeOf(answer)).toBe('settings.command-refused');
    expect(answer.ok ? '' : answer.error.message).toContain(path.join(folder, 'settings.json'));
    expect(valueOf(await test.window.settings.get({})).providers).toEqual([]);
    valueOf(await save(test, provider('', openRouter)));
    await test.close();
  });
});
