import { expect, test } from 'vitest';
import { PROCEDURES } from '../../../../src-main/contract/channels.ts';
import type { WarrantBridge } from '../../../../src-main/contract/api.ts';
import { BridgeError, wireErrorOf } from '../../../../src-renderer/bridge/bridge-error.ts';
import { createClient } from '../../../../src-renderer/bridge/client.ts';
import { wireError } from '../../../helpers/fake-bridge.ts';
import { workingScenario } from '../../../helpers/fake-scenarios.ts';

test('a procedure gives its value', async () => {
  const client = createClient(workingScenario().bridge);
  expect((await client.projects.list({})).map((project) => project.name)).toEqual(['shop', 'field-notes', 'old-site']);
});

test('what main answers as an error is thrown with its code and words', async () => {
  const fake = workingScenario();
  const error = wireError('provider.auth', 'The key was refused.', { status: 401 });
  fake.fail('models.test', error);
  const caught: unknown = await createClient(fake.bridge)
    .models.test({ model: 'x' })
    .catch((thrown: unknown) => thrown);
  expect(caught).toBeInstanceOf(BridgeError);
  expect(wireErrorOf(caught)).toEqual(error);
});

test('a bridge that breaks, or lacks a procedure, is a typed error and no crash', async () => {
  const { bridge } = workingScenario();
  const broken = {
    ...bridge,
    projects: {},
    settings: { get: () => Promise.reject(new TypeError('gone')) },
  } as unknown as WarrantBridge;
  const client = createClient(broken);
  await expect(client.projects.list({})).rejects.toMatchObject({ code: 'ipc.unknown-procedure' });
  await expect(client.settings.get({})).rejects.toMatchObject({ code: 'internal' });
});

test('the client has every procedure of the contract', () => {
  const client = createClient(workingScenario().bridge) as unknown as Record<string, Record<string, unknown>>;
  for (const [area, names] of Object.entries(PROCEDURES)) {
    for (const name of names) expect(typeof client[area]?.[name]).toBe('function');
  }
});
