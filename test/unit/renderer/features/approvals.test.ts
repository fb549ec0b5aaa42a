// The approval card: when it may be allowed, what it says, what an edit changes.
import { describe, expect, test } from 'vitest';
import type { Approval } from '../../../../src-main/contract/session.ts';
import { callIdSchema, sessionIdSchema, turnIdSchema } from '../../../../src-main/contract/ids.ts';
import { chooseShown, newCard, reduceCard, whyNotYet } from '../../../../src-renderer/features/approvals/card-state.ts';
import type { CardEvent, CardState } from '../../../../src-renderer/features/approvals/card-state.ts';
import {
  describeApproval,
  grantLabel,
  hostAndPort,
  showDuration,
} from '../../../../src-renderer/features/approvals/describe-approval.ts';
import { fromEdit, toEditTarget } from '../../../../src-renderer/features/approvals/edit-arguments.ts';

const after = (...events: CardEvent[]): CardState => events.reduce(reduceCard, newCard('d1'));
const seen: CardEvent[] = [{ type: 'layout', complete: true }, { type: 'appear', atMs: 1000 }, { type: 'end-seen' }];

function approval(patch: Partial<Approval> = {}): Approval {
  return {
    sessionId: sessionIdSchema.parse('s'),
    turnId: turnIdSchema.parse('t'),
    callId: callIdSchema.parse('c'),
    tool: 'shell',
    summary: 'Run a harmless listing',
    argumentsText: '{"command":"rm -rf build","network":true,"reason":"just lists files"}',
    effects: [{ kind: 'command-network', target: 'rm -rf build' }],
    preview: {
      type: 'command',
      command: 'rm -rf build',
      cwd: '~/shop',
      confined: true,
      network: true,
      timeoutMs: 120_000,
    },
    digest: 'd1',
    why: 'shell commands always ask',
    grant: null,
    folder: '~/shop',
    askedAtMs: 0,
    ...patch,
  };
}

describe('when a card may be allowed', () => {
  test('only after all of it was laid out, its end was on screen and half a second went by', () => {
    expect(whyNotYet(after())).toBe('Show all of it first.');
    expect(whyNotYet(after({ type: 'layout', complete: true }))).toBe('Read to its end first.');
    expect(whyNotYet(after(...seen))).toBe('One moment.');
    expect(whyNotYet(after(...seen, { type: 'tick', atMs: 1499 }))).toBe('One moment.');
    expect(whyNotYet(after(...seen, { type: 'tick', atMs: 1500 }))).toBeNull();
  });

  test('time that went by before it was in view does not count', () => {
    expect(
      whyNotYet(after({ type: 'layout', complete: true }, { type: 'end-seen' }, { type: 'tick', atMs: 99_999 })),
    ).toBe('One moment.');
  });

  test('the end of a part is not the end: showing all of it asks to be read on', () => {
    const cut = after(
      { type: 'layout', complete: false },
      { type: 'appear', atMs: 0 },
      { type: 'end-seen' },
      { type: 'tick', atMs: 900 },
    );
    expect(whyNotYet(cut)).toBe('Show all of it first.');
    expect(whyNotYet(reduceCard(cut, { type: 'layout', complete: true }))).toBe('Read to its end first.');
  });

  test('while an answer is on its way there is no second one, and a refused answer can be given again', () => {
    const sending = after(...seen, { type: 'tick', atMs: 1500 }, { type: 'send' });
    expect(whyNotYet(sending)).toBe('Your answer is on its way.');
    expect(reduceCard(sending, { type: 'deny' })).toBe(sending);
    expect(whyNotYet(reduceCard(sending, { type: 'refused' }))).toBeNull();
  });
});

describe('which of several is shown', () => {
  const one = { callId: '1' };
  const two = { callId: '2' };
  const three = { callId: '3' };

  test('U11: a second request never replaces the first; answered ones give way to the next, and each comes up', () => {
    expect(chooseShown([one, two, three], '1', 0)).toBe(one);
    expect(chooseShown([one, two, three], '2', 1)).toBe(two);
    expect(chooseShown([one, three], '2', 1)).toBe(three);
    expect(chooseShown([one], '3', 1)).toBe(one);
    expect(chooseShown([], '1', 0)).toBeNull();
    // One before it was settled elsewhere: what is read stays.
    expect(chooseShown([two, three, { callId: '4' }], '2', 1)).toBe(two);
  });
});

describe('what a card says', () => {
  test('U7: neither the summary nor a reason given by the model is any part of the words', () => {
    const words = JSON.stringify(describeApproval(approval()));
    expect(words).not.toContain('harmless');
    expect(words).not.toContain('lists');
    expect(describeApproval(approval())).toEqual({
      verb: 'run a command',
      object: '',
      facts: ['confined to this folder', 'with network', 'stops after 2 min'],
      dangers: [{ kind: 'command-network', words: 'Uses the network', target: '' }],
    });
  });

  test('each danger has its own line, named once', () => {
    const effects: Approval['effects'] = [
      { kind: 'read-secret', target: '.env' },
      { kind: 'read-secret', target: '.env' },
      { kind: 'write-outside', target: '/etc/hosts' },
      { kind: 'read-inside', target: 'a.ts' },
    ];
    expect(describeApproval(approval({ effects })).dangers.map((danger) => danger.target)).toEqual([
      '.env',
      '/etc/hosts',
    ]);
  });

  test('U8: a network request names host and port', () => {
    expect(hostAndPort('https://api.example.org/v1?x=1')).toBe('api.example.org:443');
    expect(hostAndPort('http://127.0.0.1:8080/')).toBe('127.0.0.1:8080');
    const preview: Approval['preview'] = { type: 'url', url: 'https://api.example.org/', host: 'api.example.org' };
    expect(describeApproval(approval({ preview, effects: [] }))).toMatchObject({
      verb: 'fetch a page',
      object: 'api.example.org:443',
    });
  });

  test('durations are short and exact', () => {
    expect([400, 1500, 90_000, 120_000, 1_200_000].map(showDuration)).toEqual([
      '400 ms',
      '1.5 s',
      '90 s',
      '2 min',
      '20 min',
    ]);
    expect(grantLabel(approval())).toBe('Allow this exact command in this chat');
  });
});

describe('editing', () => {
  test('the command is edited as it is, and the other arguments stay', () => {
    const target = toEditTarget(approval());
    expect(target).toEqual({ kind: 'command', text: 'rm -rf build' });
    expect(fromEdit(approval(), target, 'ls build')).toEqual({
      type: 'changed',
      argumentsText: '{"command":"ls build","network":true,"reason":"just lists files"}',
    });
    expect(fromEdit(approval(), target, 'rm -rf build')).toEqual({ type: 'unchanged' });
    expect(fromEdit(approval(), target, ' ')).toMatchObject({ type: 'invalid' });
  });

  test('arguments that are not an object are refused before anything is sent', () => {
    const write = approval({ preview: { type: 'none' }, argumentsText: '{"path":"a"}' });
    const target = toEditTarget(write);
    expect(target).toEqual({ kind: 'arguments', text: '{\n  "path": "a"\n}' });
    expect(fromEdit(write, target, '{"path":')).toMatchObject({ type: 'invalid' });
    expect(fromEdit(write, target, '[1]')).toMatchObject({ type: 'invalid' });
    expect(fromEdit(write, target, '{"path":"b"}')).toEqual({ type: 'changed', argumentsText: '{"path":"b"}' });
  });
});
