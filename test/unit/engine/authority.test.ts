// Authority: what is refused at build, what the snapshot holds, its digest, and the difference of two snapshots.
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { authoritySnapshotSchema, type ToolDeclaration } from '../../../src-main/contract/authority.ts';
import { LIMIT_NAMES, LIMITS, type Limits } from '../../../src-main/contract/limits.ts';
import { sha256Hex } from '../../../src-main/base/digest.ts';
import { canonicalJson } from '../../../src-main/base/canonical-json.ts';
import { compareAuthority, resolveAuthority, type AuthorityConfig } from '../../../src-main/engine/authority.ts';
import {
  ask,
  call,
  calls,
  makeRig,
  say,
  ScriptedModel,
  testTool,
  WORKSPACE,
  writer,
} from '../../helpers/engine-ports.ts';

const declared = (name: string, change: Partial<ToolDeclaration> = {}): ToolDeclaration => ({
  ...testTool(name).declaration,
  ...change,
});
const config = (change: Partial<AuthorityConfig> = {}): AuthorityConfig => ({
  workspace: WORKSPACE,
  tools: [declared('b'), declared('a')],
  limits: {},
  environment: { path: 'digest of PATH', home: 'digest of HOME' },
  ...change,
});
const shell = declared('shell', { builtin: true, class: 'command' });

describe('the snapshot', () => {
  test('AUTH-04, AUTH-12: it holds workspace identity, sorted declarations, built-ins, every limit, and a version', async () => {
    const { snapshot } = await resolveAuthority(config({ limits: { shellTimeoutMs: 5000 } }));
    expect(authoritySnapshotSchema.parse(JSON.parse(JSON.stringify(snapshot)))).toEqual(snapshot);
    expect(snapshot.workspace).toEqual(WORKSPACE);
    expect(snapshot.tools.map((tool) => tool.name)).toEqual(['a', 'b']);
    expect(Object.keys(snapshot.limits).toSorted()).toEqual(LIMIT_NAMES.toSorted());
    expect([snapshot.version, snapshot.limits.shellTimeoutMs]).toEqual([1, 5000]);
  });

  test('its digest is that of its canonical JSON, the same for any order of tools, members and limits', async () => {
    const { snapshot, digest } = await resolveAuthority(config());
    expect(digest).toBe(await sha256Hex(canonicalJson(snapshot)));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(['a', 'b', 'c', 'd'], { minLength: 4 }), async (order) => {
        const tools = order.map((name) => {
          const { parameters, ...rest } = declared(name);
          return order[0] === 'a' ? { parameters, ...rest } : { ...rest, parameters };
        });
        const sorted = await resolveAuthority(config({ tools: ['a', 'b', 'c', 'd'].map((name) => declared(name)) }));
        expect((await resolveAuthority(config({ tools }))).digest).toBe(sorted.digest);
      }),
      { numRuns: 20 },
    );
  });

  test('AUTH-06, TOOL-05: nothing alters it, neither a switched tool nor the one who declared it', async () => {
    const tool = testTool('read', { parameters: { type: 'object', properties: {} } });
    const rig = await makeRig({ tools: [tool, testTool('grep')] });
    const before = structuredClone(rig.session.authority);
    await rig.session.setEnabledTools(['grep'], 'person');
    await rig.session.setMode('auto', 'person');
    Object.assign(tool.declaration, { cancellation: 'finish', class: 'clock', description: 'another' });
    expect(rig.session.authority).toEqual(before);
    const { authority } = rig.session;
    const parts = [authority, authority.limits, authority.tools, authority.tools[0]?.parameters, authority.workspace];
    expect(parts.map((part) => Object.isFrozen(part))).toEqual(parts.map(() => true));
    expect(rig.session.request().tools[0]?.description).toBe('grep');
  });

  test('its schemas are what JSON says of those given: no owner’s class, function or odd number stays in them', async () => {
    const odd = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as Record<string, unknown>;
    Object.assign(odd, { made: new Date(0), run: () => 1, most: Number.POSITIVE_INFINITY, list: [undefined, () => 1] });
    const { snapshot } = await resolveAuthority(config({ tools: [declared('a', { parameters: odd })] }));
    const { parameters } = snapshot.tools[0] ?? {};
    expect(JSON.stringify(parameters)).toBe(JSON.stringify(odd));
    expect(parameters?.['made']).toBe('1970-01-01T00:00:00.000Z');
    const frozen = Object.values(parameters ?? {}).every(
      (value) => typeof value !== 'object' || Object.isFrozen(value),
    );
    expect([frozen, Object.isFrozen(parameters)]).toEqual([true, true]);
  });

  test('AUTH-03: what is resolved without building is what a session has', async () => {
    const tool = testTool('read');
    const rig = await makeRig({ tools: [tool] });
    const environment = { path: 'p', home: 'h' };
    const resolved = await resolveAuthority(config({ tools: [tool.declaration], environment }));
    expect([resolved.snapshot, resolved.digest]).toEqual([rig.session.authority, rig.session.authorityDigest]);
  });

  test('AUTH-09, AUTH-11: PATH and HOME count where there is a shell, and only there', async () => {
    const other = { path: 'other', home: 'digest of HOME' };
    const without = await resolveAuthority(config());
    expect((await resolveAuthority(config({ environment: other }))).digest).toBe(without.digest);
    expect(without.snapshot.builtins.shell).toBe(false);
    const before = await resolveAuthority(config({ tools: [shell] }));
    const after = await resolveAuthority(config({ tools: [shell], environment: other }));
    expect(compareAuthority(before.snapshot, after.snapshot).map(({ part }) => part)).toEqual(['PATH of commands']);
  });
});

describe('AUTH-01, AUTH-02: what is refused before anything is sent or stored', () => {
  test.each([
    ['a workspace that is relative', { workspace: { ...WORKSPACE, path: 'project' } }],
    ['a workspace with another spelling', { workspace: { ...WORKSPACE, path: '/a/../project' } }],
    ['a tool declared twice', { tools: [declared('a'), declared('a')] }],
    ['a bad name', { tools: [declared('no spaces')] }],
    ['a schema that is no object', { tools: [declared('a', { parameters: { type: 'string' } })] }],
    [
      'a schema that is too large',
      {
        tools: [declared('a', { parameters: { type: 'object', title: 'é'.repeat(600) } })],
        limits: { schemaBytes: 1000 },
      },
    ],
    ['too many tools', { limits: { toolDeclarations: 1 } }],
    ['schemas that are too large together', { limits: { requestBytes: 20 } }],
    ['an unknown limit', { limits: JSON.parse('{"shellTimeout":1}') as Partial<Limits> }],
    ['a negative limit', { limits: { shellTimeoutMs: -1 } }],
    ['a limit that is no number', { limits: { shellTimeoutMs: Number.NaN } }],
    [
      'an unknown class',
      {
        tools: [
          JSON.parse(
            '{"name":"a","description":"","parameters":{"type":"object"},"class":"x","cancellation":"finish","builtin":false}',
          ) as ToolDeclaration,
        ],
      },
    ],
  ] as [string, Partial<AuthorityConfig>][])('%s', async (_name, change) => {
    await expect(resolveAuthority(config(change))).rejects.toMatchObject({ code: 'authority.invalid' });
  });

  test.each(LIMIT_NAMES)('AUTH-12: %s above its ceiling', async (name) => {
    const limits = { [name]: LIMITS[name].ceiling + 1 };
    await expect(resolveAuthority(config({ limits }))).rejects.toMatchObject({ details: { limit: name } });
  });

  test('AUTH-13: a model that is known not to carry the system prompt, the tools or the calls of history', async () => {
    const noTools = new ScriptedModel([say('')], { capabilities: { tools: false } });
    const noSystem = new ScriptedModel([say('')], { capabilities: { systemPrompt: false } });
    await expect(makeRig({ model: noSystem })).rejects.toMatchObject({ code: 'authority.model-unfit' });
    await expect(makeRig({ model: noTools, tools: [testTool('a')] })).rejects.toMatchObject({
      code: 'authority.model-unfit',
    });
    expect((await makeRig({ model: noTools })).session.enabledTools).toEqual([]);
    expect((await makeRig({ model: noSystem, systemPrompt: '' })).session.model).toBe(noSystem);
    const called = await makeRig({ tools: [testTool('a')], rounds: [calls(call('a')), say('end')] });
    await ask(called);
    await expect(makeRig({ model: noTools, history: called.journal.entries })).rejects.toMatchObject({
      code: 'authority.model-unfit',
    });
    const rig = await makeRig({ tools: [testTool('a')] });
    await expect(rig.session.setModel(noTools, 'person')).rejects.toMatchObject({ code: 'authority.model-unfit' });
    expect(rig.session.model).toBe(rig.model);
  });

  test('MODE-05, CONF-17: auto mode with neither a confinement that works nor anybody to ask', async () => {
    const confiner = { status: () => ({ available: false, reason: 'no bubblewrap' }) };
    await expect(makeRig({ mode: 'auto', confiner })).rejects.toMatchObject({ code: 'authority.invalid' });
    expect((await makeRig({ mode: 'auto' })).session.mode).toBe('auto');
    const rig = await makeRig({ confiner });
    await rig.session.setMode('auto', 'person');
    expect(rig.session.mode).toBe('auto');
  });
});

describe('a chat that is opened again', () => {
  test('CONF-03: it keeps its mode, but unconfined auto comes back as ask', async () => {
    const rig = await makeRig({ mode: 'auto' });
    await ask(rig);
    expect((await makeRig({ history: rig.journal.entries })).session.mode).toBe('ask');
    await rig.session.setMode('auto', 'person');
    await rig.session.setMode('plan', 'person');
    await rig.session.setMode('auto', 'person');
    expect((await makeRig({ history: rig.journal.entries })).session.mode).toBe('auto');
    await rig.session.setConfinement(false, 'person');
    expect((await makeRig({ history: rig.journal.entries })).session.mode).toBe('ask');
  });
});

describe('the enabled subset', () => {
  test('TOOL-01, TOOL-04: all of a fixed ceiling are on at first; a name outside of it refuses the whole change', async () => {
    const rig = await makeRig({ tools: [testTool('a'), testTool('b'), writer('c')] });
    const { session } = rig;
    expect(session.enabledTools).toEqual(['a', 'b', 'c']);
    await session.setEnabledTools(['c', 'a', 'c'], 'person');
    expect(session.enabledTools).toEqual(['a', 'c']);
    await expect(session.setEnabledTools(['b', 'shell'], 'person')).rejects.toMatchObject({
      code: 'authority.tool-unavailable',
      details: { unknown: ['shell'] },
    });
    expect(session.enabledTools).toEqual(['a', 'c']);
  });
});

describe('AUTH-07: the difference of two snapshots', () => {
  const changes = async (before: Partial<AuthorityConfig>, after: Partial<AuthorityConfig>): Promise<unknown[]> => {
    const [a, b] = await Promise.all([resolveAuthority(config(before)), resolveAuthority(config(after))]);
    return compareAuthority(a.snapshot, b.snapshot).map((change) => [change.change, change.part, change.widens]);
  };

  test('equal ones have none', async () => {
    expect(await changes({}, {})).toEqual([]);
  });

  test('a replaced folder shows, also at the same path', async () => {
    expect(await changes({}, { workspace: { ...WORKSPACE, ino: '9' } })).toEqual([
      ['altered', 'folder identity', true],
    ]);
  });

  test('AUTH-08: tools added, removed, altered, and of another cancellation', async () => {
    const after = [declared('b', { cancellation: 'finish' }), declared('c', { description: 'new' })];
    expect(await changes({ tools: [declared('a'), declared('b')] }, { tools: after })).toEqual([
      ['removed', 'tool a', false],
      ['altered', 'tool b cancellation', false],
      ['added', 'tool c', true],
    ]);
    expect(await changes({}, { tools: [declared('a', { description: 'x' }), declared('b')] })).toEqual([
      ['altered', 'tool a', true],
    ]);
  });

  test('limits widen upwards, and "none" is the widest', async () => {
    expect(await changes({}, { limits: { readLines: 1 } })).toEqual([['altered', 'limit readLines', false]]);
    expect(await changes({ limits: { readLines: 1 } }, {})).toEqual([['altered', 'limit readLines', true]]);
    expect(await changes({ limits: { turnTokens: 5 } }, {})).toEqual([['altered', 'limit turnTokens', true]]);
    expect(await changes({}, { limits: { turnTokens: 5 } })).toEqual([['altered', 'limit turnTokens', false]]);
  });
});
