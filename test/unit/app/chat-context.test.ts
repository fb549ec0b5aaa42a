// How a chat keeps to its model's window follows the settings at once.
import { expect, it } from 'vitest';
import { contextOf } from '../../../src-main/app/chat-context.ts';
import { SettingsService } from '../../../src-main/app/settings-service.ts';
import { makeRig, say, ScriptedModel } from '../../helpers/engine-ports.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

it('CONF-24: the guard is armed where the window is known, and a setting turns it off and on for an open chat', async () => {
  const settings = await SettingsService.open(await tempFolder());
  const model = new ScriptedModel([say('hello')], { capabilities: { contextWindow: 9000 } });
  const { session } = await makeRig({ model, context: contextOf(settings) });
  expect(session.contextLimit).toBe(9000);
  await settings.update({ contextGuard: false });
  expect(session.contextLimit).toBeNull();
  await settings.update({ contextGuard: true });
  expect(session.contextLimit).toBe(9000);
});

it('making room and summaries by the model are as the settings say right now', async () => {
  const settings = await SettingsService.open(await tempFolder());
  const context = contextOf(settings);
  expect([context.automatic, context.summaries]).toEqual([true, false]);
  await settings.update({ automaticCompaction: false, modelSummaries: true });
  expect([context.automatic, context.summaries]).toEqual([false, true]);
});
