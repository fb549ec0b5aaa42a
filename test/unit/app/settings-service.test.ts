import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { initialSettings } from '../../../src-main/app/initial-settings.ts';
import { SettingsService } from '../../../src-main/app/settings-service.ts';
import { isAppError } from '../../../src-main/base/app-error.ts';
import { defaultSettings } from '../../../src-main/contract/settings.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

describe('the settings of a data folder', () => {
  it('are the defaults of the schema where there is no file', async () => {
    const settings = await SettingsService.open(await tempFolder());
    expect(settings.current).toEqual(defaultSettings());
    expect(initialSettings()).toEqual(defaultSettings());
  });

  it('are kept in a file for this user alone and read again', async () => {
    const folder = await tempFolder();
    await (await SettingsService.open(folder)).update({ theme: 'dark', tools: { shell: 'off' } });
    const again = await SettingsService.open(folder);
    expect(again.current).toMatchObject({ theme: 'dark', tools: { shell: 'off' }, defaultMode: 'ask' });
    expect((await stat(path.join(folder, 'settings.json'))).mode & 0o777).toBe(0o600);
  });

  it('say what is wrong with a damaged file, keep it aside and go on with defaults', async () => {
    const folder = await tempFolder();
    await writeFile(path.join(folder, 'settings.json'), '{"theme": "dark", oops');
    const settings = await SettingsService.open(folder);
    expect(settings.current).toEqual(defaultSettings());
    const kept = (await readdir(folder)).find((name) => name.startsWith('settings.json.damaged-'));
    expect(kept).toBeDefined();
    expect(settings.problem).toContain('could not be read (it is not valid JSON)');
    expect(settings.problem).toContain(`It was kept as ${path.join(folder, kept ?? '')}.`);
    expect(await readFile(path.join(folder, kept ?? ''), 'utf8')).toBe('{"theme": "dark", oops');

    const other = await tempFolder();
    await writeFile(path.join(other, 'settings.json'), '{"theme": "pink"}');
    expect((await SettingsService.open(other)).problem).toContain('could not be read (theme: ');
  });

  it.each([
    [
      'a rule that would let the network run unasked',
      { rules: [{ id: '1', effect: 'allow' as const, match: 'web_fetch' }] },
    ],
    ['a permission that would let the network run unasked', { tools: { web_fetch: 'allow' as const } }],
  ])('refuse %s, with the reason, and change nothing', async (_what, patch) => {
    const folder = await tempFolder();
    const settings = await SettingsService.open(folder);
    const error: unknown = await settings.update(patch).catch((reason: unknown) => reason);
    expect(isAppError(error) && error.code).toBe('settings.rule-refused');
    expect(settings.current).toEqual(defaultSettings());
    expect(await readdir(folder)).toEqual([]);
  });

  it('rules of a file from before they could be switched off are in use; otherwise they are off', async () => {
    const folder = await tempFolder();
    const rules = [{ id: 'r', effect: 'deny', match: 'shell:rm' }];
    expect((await SettingsService.open(folder)).current.useRules).toBe(false);
    for (const [file, used] of [
      [{ rules }, true],
      [{ rules, useRules: false }, false],
      [{ rules: [] }, false],
    ] as const) {
      await writeFile(path.join(folder, 'settings.json'), JSON.stringify(file));
      expect((await SettingsService.open(folder)).current.useRules).toBe(used);
    }
  });
});
