import { describe, expect, it } from 'vitest';
import { api } from '../../../src-main/contract/api.ts';
import { channelOf, PROCEDURES } from '../../../src-main/contract/channels.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { codeOf, startTestApp } from '../../helpers/test-app.ts';

describe('the router', () => {
  it('serves exactly the procedures of the contract', () => {
    const names = Object.entries(api).map(([area, procedures]) => [area, Object.keys(procedures).sort()]);
    const listed = Object.entries(PROCEDURES).map(([area, procedures]) => [area, [...procedures].sort()]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(names));
  });

  it('M11: refuses a page that is not ours, whatever it asks', async () => {
    const test = await startTestApp(await tempFolder());
    const answer = await test.transport.send(channelOf('settings', 'get'), {}, { windowId: 1, trusted: false });
    expect(codeOf(answer)).toBe('ipc.forbidden-sender');
    await test.close();
  });

  it.each([
    ['a wrong type', channelOf('sessions', 'open'), { sessionId: 7 }],
    ['a key too many', channelOf('settings', 'get'), { extra: true }],
    ['a prototype key', channelOf('settings', 'update'), JSON.parse('{"patch":{"__proto__":{"x":1},"theme":"pink"}}')],
    ['a text beyond its bound', channelOf('sessions', 'rename'), { sessionId: 's', title: 'x'.repeat(301) }],
    ['nothing where something is wanted', channelOf('projects', 'open'), null],
  ])('answers %s with a typed error', async (_what, channel, input) => {
    const test = await startTestApp(await tempFolder());
    expect(codeOf(await test.transport.send(channel, input, { windowId: 1, trusted: true }))).toBe('ipc.invalid-input');
    await test.close();
  });

  it('gives an error of a handler as a value, with its code and words', async () => {
    const test = await startTestApp(await tempFolder());
    const answer = await test.window.projects.open({ path: '/there/is/no/such/folder' });
    const message = 'There is no folder /there/is/no/such/folder. It may have been moved or deleted.';
    expect(answer).toMatchObject({ ok: false, error: { code: 'project.not-found', message, retryable: false } });
    await test.close();
  });
});
