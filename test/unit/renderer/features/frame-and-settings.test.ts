import { describe, expect, test } from 'vitest';
import { LIMIT_NAMES, LIMITS } from '../../../../src-main/contract/limits.ts';
import { providerSettingSchema } from '../../../../src-main/contract/models.ts';
import { relativeTime } from '../../../../src-renderer/features/chat-list/relative-time.ts';
import { listRows } from '../../../../src-renderer/features/chat-list/list-rows.ts';
import { lastTurn, shownCost, shownDuration } from '../../../../src-renderer/features/frame/turn-facts.ts';
import { KNOWN_SERVICES } from '../../../../src-main/contract/known-services.ts';
import { serviceProblems } from '../../../../src-renderer/features/settings/service-problems.ts';
import {
  LIMIT_GROUPS,
  parseLimit,
  shownBytes,
  shownLimit,
} from '../../../../src-renderer/features/settings/shown-values.ts';
import { createAppStore, withList } from '../../../../src-renderer/state/app-store.ts';
import { emptyList } from '../../../../src-renderer/state/chat-list.ts';
import { fakeCheckoutChat } from '../../../helpers/fake-checkout-chat.ts';
import { fakeAppState, fakeProject, fakeSummary } from '../../../helpers/fake-content.ts';
import { wireError } from '../../../helpers/fake-bridge.ts';

describe('figures', () => {
  test('durations and costs are short and never hide that something was spent', () => {
    expect([38_000, 725_000, 3_725_000].map(shownDuration)).toEqual(['0:38', '12:05', '1:02:05']);
    expect([0, 0.0001, 0.06, 12.4].map(shownCost)).toEqual(['free', '< $0.01', '$0.06', '$12.40']);
    expect([812, 65_536, 48_234_496].map(shownBytes)).toEqual(['812 B', '64 KiB', '46 MiB']);
  });

  test('times of chats are read at a glance', () => {
    const now = new Date(2026, 2, 12, 15, 0).getTime();
    const ago = (minutes: number): string => relativeTime(now - minutes * 60_000, now);
    expect([0, 2, 300, 60 * 20, 60 * 24 * 30, 60 * 24 * 800].map(ago)).toEqual([
      'now',
      '2 m',
      '5 h',
      'Wed',
      'Feb 10',
      '2024',
    ]);
  });

  test('facts of a turn count from its message', () => {
    const project = fakeProject('shop', 0);
    const { entries } = fakeCheckoutChat(fakeSummary('s', project.id, 0, { title: 't' }), project);
    expect(lastTurn(entries)).toEqual({ startedAtMs: entries[1]?.atMs, steps: 3, durationMs: null });
    expect(lastTurn([])).toBeNull();
  });
});

describe('limits', () => {
  test('every limit that is offered survives being shown and typed again', () => {
    for (const [name] of LIMIT_GROUPS.flatMap((group) => group.limits)) {
      const { default: value, ceiling } = LIMITS[name];
      expect(parseLimit(name, shownLimit(name, value))).toEqual({ value });
      expect(parseLimit(name, shownLimit(name, ceiling))).toEqual({ value: ceiling });
    }
  });

  test('what is above the ceiling, not a number, or a forbidden 0 is refused with the reason', () => {
    expect(parseLimit('shellTimeoutMs', '1201')).toEqual({ problem: 'At most 1200 s.' });
    expect(parseLimit('shellTimeoutMs', 'soon')).toEqual({ problem: 'Type a number.' });
    expect(parseLimit('shellTimeoutMs', '0')).toEqual({ problem: 'This limit cannot be switched off.' });
    expect(parseLimit('turnTokens', '0')).toEqual({ value: 0 });
    expect(parseLimit('readLines', '-1')).toEqual({ problem: 'Type a number.' });
  });

  test('the groups name each limit once', () => {
    const named = LIMIT_GROUPS.flatMap((group) => group.limits.map(([name]) => name));
    expect(new Set(named).size).toBe(named.length);
    expect(named.every((name) => LIMIT_NAMES.includes(name))).toBe(true);
  });
});

describe('model services', () => {
  test('each known service becomes a setting that the contract takes once it names a model', () => {
    for (const service of KNOWN_SERVICES) {
      const setting = { ...service, keyCommand: '', id: 'x', models: ['m'] };
      expect(serviceProblems(setting)).toEqual({});
      expect(providerSettingSchema.safeParse(setting).success).toBe(true);
    }
  });

  test('each field that cannot be right says what to do', () => {
    const problems = serviceProblems({
      ...KNOWN_SERVICES[0],
      keyCommand: '',
      id: 'x',
      label: '',
      baseUrl: 'ftp://x',
      models: [],
    });
    expect(Object.keys(problems)).toEqual(['label', 'baseUrl', 'models']);
  });
});

describe('rows of the side bar', () => {
  const project = fakeProject('shop', 0);
  const chat = fakeSummary('s1', project.id, 0, { title: 't' });
  const state = { ...createAppStore().getState(), app: fakeAppState([project]) };
  const kinds = (given: typeof state, collapsed = new Set<string>()): string[] =>
    listRows(given, collapsed).map((row) => row.kind);

  test('a project shows its chats, the way to more, or that there are none', () => {
    const ready = { ...emptyList, phase: 'ready' as const };
    expect(kinds(withAll({ ...ready, chats: [chat] }))).toEqual(['project', 'chat']);
    expect(kinds(withAll({ ...ready, chats: [chat], cursor: '50' }))).toEqual(['project', 'chat', 'more']);
    expect(kinds(withAll(ready))).toEqual(['project', 'note']);
    expect(kinds(withAll({ ...ready, chats: [chat] }), new Set([project.id]))).toEqual(['project']);
  });

  test('a list that could not be read says so beside what is there', () => {
    const error = wireError('store.locked', 'The database is busy.');
    const rows = listRows(withAll({ ...emptyList, chats: [chat], phase: 'failed', error }), new Set());
    expect(rows.at(-1)).toMatchObject({ kind: 'error', text: 'The database is busy.' });
  });

  test('while a filter is typed, what was found stands alone, with its project', () => {
    const found = { ...emptyList, phase: 'ready' as const, chats: [chat] };
    expect(listRows({ ...state, filter: 'x', found }, new Set())).toMatchObject([{ kind: 'chat', project: 'shop' }]);
    expect(kinds({ ...state, filter: 'x', found: { ...found, chats: [] } })).toEqual(['note']);
  });

  function withAll(list: typeof emptyList): typeof state {
    return { ...state, ...withList(state, project.id, () => list), app: state.app };
  }
});
