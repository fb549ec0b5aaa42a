// Model services of the settings as a chat uses them: which address is asked, and with which key.
import { describe, expect, it } from 'vitest';
import type { ProviderSetting } from '../../src-main/contract/models.ts';
import { says, startChatServer } from '../helpers/chat-server.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

const provider: ProviderSetting = {
  id: 'shop',
  wire: 'openai-compatible',
  label: 'Shop',
  baseUrl: 'https://models.example.org/v1',
  models: ['pear'],
  keyCommand: '',
  keyVariable: '',
};

const sourceOf = async (test: TestApp): Promise<string | undefined> =>
  valueOf(await test.window.models.listKeys({}))[0]?.source;

describe('model services in use', () => {
  it('AUTH-19: the key is the stored one, else what the command prints, else what the variable holds', async () => {
    const server = await startChatServer(says('ready'));
    const test = await startTestApp(await tempFolder(), { environment: { ...process.env, SHOP_KEY: 'of-variable' } });
    test.host.confirm = () => Promise.resolve(true);
    const own = { ...provider, baseUrl: server.url, keyCommand: 'echo of-command; echo more', keyVariable: 'SHOP_KEY' };
    const ref = `openai-compatible:pear@${server.url}`;
    const used: unknown[] = [];
    const use = async (): Promise<void> => {
      valueOf(await test.window.models.test({ model: ref }));
      used.push([await sourceOf(test), server.seen.at(-1)?.headers.authorization]);
    };
    valueOf(await test.window.models.saveProvider({ provider: own }));
    valueOf(await test.window.models.setKey({ providerId: 'shop', key: 'of-store' }));
    await use();
    valueOf(await test.window.models.removeKey({ providerId: 'shop' }));
    await use();
    valueOf(await test.window.models.saveProvider({ provider: { ...own, keyCommand: '' } }));
    await use();
    expect(used).toEqual([
      ['stored', 'Bearer of-store'],
      ['command', 'Bearer of-command'],
      ['environment', 'Bearer of-variable'],
    ]);
    await test.close();
    await server.stop();
  });

  it('AUTH-20: a reference without an address goes to the service that was set up, with its key', async () => {
    const server = await startChatServer(says('ready'));
    const test = await startTestApp(await tempFolder());
    valueOf(await test.window.models.saveProvider({ provider: { ...provider, baseUrl: server.url } }));
    valueOf(await test.window.models.setKey({ providerId: 'shop', key: 'of-store' }));
    const { text } = valueOf(await test.window.models.test({ model: 'openai-compatible:other' }));
    expect([text, server.seen[0]?.path, server.seen[0]?.headers.authorization]).toEqual([
      'ready',
      '/v1/chat/completions',
      'Bearer of-store',
    ]);
    await test.close();
    await server.stop();
  });
});
