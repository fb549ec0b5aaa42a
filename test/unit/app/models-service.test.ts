import { describe, expect, it } from 'vitest';
import type { ProviderSetting } from '../../../src-main/contract/models.ts';
import { addressFor } from '../../../src-main/app/model-address.ts';
import { parseModelRef } from '../../../src-main/providers/parse-model-ref.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { startTestApp, valueOf, type TestApp } from '../../helpers/test-app.ts';

const provider: ProviderSetting = {
  id: 'shop',
  wire: 'openai-compatible',
  label: 'Shop',
  baseUrl: 'https://models.example.org/v1',
  models: ['pear'],
  keyCommand: '',
  keyVariable: '',
};

async function withKey(): Promise<TestApp> {
  const test = await startTestApp(await tempFolder());
  valueOf(await test.window.models.saveProvider({ provider }));
  valueOf(await test.window.models.setKey({ providerId: 'shop', key: 'canary-key' }));
  return test;
}

const sourceOf = async (test: TestApp): Promise<string | undefined> =>
  valueOf(await test.window.models.listKeys({}))[0]?.source;

describe('model services of the settings', () => {
  it('AUTH-20: where nothing was set up it is OpenRouter, and only for that wire', () => {
    const address = (text: string): string | null => addressFor(parseModelRef(text), []);
    expect(address('openai-compatible:qwen/qwen3-coder')).toBe('https://openrouter.ai/api/v1');
    expect(address('openai-compatible:qwen3@http://127.0.0.1:11434/v1')).toBeNull();
    expect(address('anthropic:claude-sonnet-5')).toBeNull();
  });

  it('a stored key is named, and never told to a window', async () => {
    const test = await withKey();
    expect(await sourceOf(test)).toBe('stored');
    expect(JSON.stringify(valueOf(await test.window.settings.get({})))).not.toContain('canary-key');
    await test.close();
  });

  it('a service that is moved to another address does not take its key along', async () => {
    const test = await withKey();
    valueOf(await test.window.models.saveProvider({ provider: { ...provider, models: ['pear', 'plum'] } }));
    expect(await sourceOf(test)).toBe('stored');
    valueOf(
      await test.window.models.saveProvider({ provider: { ...provider, baseUrl: 'https://elsewhere.example.org' } }),
    );
    expect(await sourceOf(test)).toBe('none');
    await test.close();
  });

  it('offers the models of the settings, then what was found, then the guide', async () => {
    const test = await withKey();
    const models = valueOf(await test.window.models.list({}));
    expect(models.map((model) => model.ref)).toEqual(['openai-compatible:pear@https://models.example.org/v1', 'guide']);
    await test.close();
  });
});
