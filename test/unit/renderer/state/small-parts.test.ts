import { describe, expect, test } from 'vitest';
import { createLayoutStore } from '../../../../src-renderer/state/layout-store.ts';
import { markOf } from '../../../../src-renderer/state/chat-list.ts';
import { LOCAL_SHORTCUTS, SHORTCUTS, shortcutOf } from '../../../../src-renderer/state/shortcuts.ts';
import { isComposing } from '../../../../src-renderer/ui/is-composing.ts';
import { fakeSummary, projectId } from '../../../helpers/fake-content.ts';

const key = (name: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', true>> = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

describe('shortcuts', () => {
  test('each is found by its own keys, on a Mac with Command', () => {
    const letters = { n: 'new-chat', o: 'open-folder', k: 'palette', ',': 'settings', b: 'side-bar', j: 'panel' };
    for (const [letter, name] of Object.entries(letters)) {
      expect(shortcutOf(key(letter, { ctrlKey: true }), false)).toBe(name);
      expect(shortcutOf(key(letter, { metaKey: true }), true)).toBe(name);
    }
    const arrows = { ArrowDown: 'next-chat', ArrowUp: 'previous-chat' };
    for (const [arrow, name] of Object.entries(arrows)) {
      for (const mac of [false, true]) expect(shortcutOf(key(arrow, { altKey: true }), mac)).toBe(name);
    }
    const tried = [...Object.values(letters), ...Object.values(arrows)];
    expect(tried.toSorted()).toEqual(Object.keys(SHORTCUTS).toSorted());
  });

  test('a key with more or fewer modifiers is none of ours', () => {
    expect(shortcutOf(key('k'), false)).toBeUndefined();
    expect(shortcutOf(key('k', { ctrlKey: true, shiftKey: true }), false)).toBeUndefined();
    expect(shortcutOf(key('k', { ctrlKey: true }), true)).toBeUndefined();
  });

  test('no two are the same, and none is a key that answers', () => {
    const keys: string[] = Object.values(SHORTCUTS).map((shortcut) => shortcut.keys);
    expect(new Set(keys).size).toBe(keys.length);
    const local = LOCAL_SHORTCUTS.flatMap((group) => group.shortcuts.map((shortcut) => shortcut.keys));
    expect(keys.filter((one) => local.includes(one) || one === 'Enter' || one === 'Y')).toEqual([]);
  });
});

describe('input methods', () => {
  test('V10: keys of a composition are recognised, also the one that ends it', () => {
    expect(isComposing({ nativeEvent: { isComposing: true, keyCode: 13 } })).toBe(true);
    expect(isComposing({ nativeEvent: { isComposing: false, keyCode: 229 } })).toBe(true);
    expect(isComposing({ isComposing: true })).toBe(true);
    expect(isComposing({ nativeEvent: { isComposing: false, keyCode: 13 } })).toBe(false);
  });
});

describe('layout', () => {
  test('the panel closes when the window narrows and comes back when it widens', () => {
    const layout = createLayoutStore();
    layout.setNarrow(true);
    expect(layout.getState().panel).toBe(false);
    layout.showPanel('ledger');
    expect(layout.getState()).toMatchObject({ panel: true, panelTab: 'ledger', screen: 'chat' });
    layout.setNarrow(false);
    expect(layout.getState().panel).toBe(true);
  });

  test('widths stay within what can be read', () => {
    const layout = createLayoutStore();
    layout.resize('sideBarWidth', 5);
    layout.resize('panelWidth', 5000);
    expect(layout.getState()).toMatchObject({ sideBarWidth: 200, panelWidth: 560 });
  });
});

test('the mark of a chat is the most urgent thing about it', () => {
  const chat = fakeSummary('s', projectId('p'), 0, {
    title: 't',
    unread: true,
    status: 'running',
    waitingApprovals: 2,
  });
  expect(markOf(chat)).toBe('waiting');
  expect(markOf({ ...chat, waitingApprovals: 0 })).toBe('running');
  expect(markOf({ ...chat, waitingApprovals: 0, status: 'idle' })).toBe('unread');
  expect(markOf({ ...chat, waitingApprovals: 0, status: 'idle', unread: false })).toBeNull();
});
