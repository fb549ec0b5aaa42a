import { expect, test } from 'vitest';
import { describeScope, ruleText, scopeOf } from '../../../../src-renderer/features/settings/describe-rule.ts';

const tool = (name: string, toolClass: string) => ({ name, class: toolClass });

test('a rule about a tool is narrowed by what that tool is about', () => {
  expect(ruleText(tool('shell', 'command'), ' git log * ')).toBe('shell:git log *');
  expect(ruleText(tool('shell', 'command'), '  ')).toBe('shell');
  expect(ruleText(tool('edit_file', 'write'), 'docs/**')).toBe('write:docs/**');
  expect(ruleText(tool('grep', 'read'), 'private')).toBe('read:private');
  expect(ruleText(tool('web_fetch', 'network'), 'example.com')).toBe('host:example.com');
  expect(ruleText(tool('datetime', 'clock'), 'x')).toBe('datetime');
});

test('a new rule holds everywhere, in the shown project, or in the shown chat for an hour', () => {
  const shown = { projectId: 'p', sessionId: 's' };
  expect(scopeOf('everywhere', shown, 5)).toEqual({});
  expect(scopeOf('project', shown, 5)).toEqual({ project: 'p' });
  expect(scopeOf('session', shown, 5)).toEqual({ session: 's', expiresAtMs: 3_600_005 });
  expect(scopeOf('session', { projectId: null, sessionId: null }, 5)).toEqual({});
});

test('a stored rule says where it holds and that it ended', () => {
  const rule = { id: 'r', effect: 'allow', match: 'shell:ls' } as const;
  const names = new Map([['p', 'shop']]);
  expect(describeScope(rule, names, 10)).toBe('');
  expect(describeScope({ ...rule, project: 'p' }, names, 10)).toBe('in shop');
  expect(describeScope({ ...rule, project: 'q' }, names, 10)).toBe('in a project that is gone');
  expect(describeScope({ ...rule, session: 's', expiresAtMs: 20 }, names, 10)).toMatch(/^one chat, until /);
  expect(describeScope({ ...rule, session: 's', expiresAtMs: 20 }, names, 20)).toBe('ended');
});
