// What the transcript and the panel say: calls, outcomes, notices, authority and ledger in plain words.
import { describe, expect, test } from 'vitest';
import type { EntryOf, Outcome } from '../../../../src-main/contract/entries.ts';
import type { AuthorityView, LedgerRow } from '../../../../src-main/contract/session.ts';
import type { CallItem } from '../../../../src-renderer/state/transcript-items.ts';
import { describeCall } from '../../../../src-renderer/features/transcript/describe-call.ts';
import { describeOutcome } from '../../../../src-renderer/features/transcript/describe-outcome.ts';
import { showElapsed } from '../../../../src-renderer/ui/show-time.ts';
import { describeAuthority, describeChange } from '../../../../src-renderer/features/panel/describe-authority.ts';
import { filterLedger, howEnded, whoDecided } from '../../../../src-renderer/features/panel/describe-ledger.ts';
import { cutText, showSize } from '../../../../src-renderer/ui/text/cut-text.ts';
import { stripAnsi } from '../../../../src-renderer/ui/text/strip-ansi.ts';
import { callId, createEntryMaker, turnId } from '../../../helpers/fake-entries.ts';
import { fakeAuthority, fakeProject } from '../../../helpers/fake-content.ts';
import { sessionIdSchema } from '../../../../src-main/contract/ids.ts';

const maker = createEntryMaker(sessionIdSchema.parse('s'));
const id = { turnId: turnId('t'), callId: callId('c'), tool: 'shell', summary: 'Run npm test' };
const command = {
  type: 'command',
  command: 'npm test',
  cwd: '~',
  confined: true,
  network: false,
  timeoutMs: 1,
} as const;
const start = maker.add('tool-start', { ...id, digest: 'd', preview: command }) as EntryOf<'tool-start'>;

function call(patch: Partial<CallItem> = {}): CallItem {
  return {
    ...id,
    argumentsText: '{"command":"npm test"}',
    source: null,
    request: null,
    verdict: null,
    start,
    result: null,
    ...patch,
  };
}
const result = (data: Partial<EntryOf<'tool-result'>['data']>): EntryOf<'tool-result'> =>
  maker.add('tool-result', {
    ...id,
    status: 'ok',
    content: '',
    facts: {},
    changes: [],
    durationMs: 4,
    ...data,
  }) as EntryOf<'tool-result'>;
const verdict = (data: Partial<EntryOf<'verdict'>['data']>): EntryOf<'verdict'> =>
  maker.add('verdict', {
    ...id,
    effects: [],
    decision: 'run',
    by: { who: 'person' },
    reason: '',
    lasting: 'once',
    digest: 'd',
    confined: true,
    ...data,
  }) as EntryOf<'verdict'>;

describe('describeCall', () => {
  test('says what runs, what ran, how it ended and who allowed it', () => {
    expect(describeCall(call())).toMatchObject({ state: 'running', verb: 'Running', object: 'npm test', facts: [] });
    expect(describeCall(call({ result: result({ facts: { exitCode: 1 } }), verdict: verdict({}) }))).toMatchObject({
      state: 'bad',
      verb: 'Ran',
      facts: ['exit 1', 'you allowed it'],
      durationMs: 4,
    });
    expect(describeCall(call({ result: result({ facts: { timedOut: true }, status: 'error' }) })).facts).toEqual([
      'failed',
      'ran out of time',
    ]);
  });

  test('a denied call is never said to have run', () => {
    const denied = call({ start: null, verdict: verdict({ decision: 'deny' }), result: result({ status: 'denied' }) });
    expect(describeCall(denied)).toMatchObject({ state: 'bad', verb: 'Wanted to run', facts: ['you denied it'] });
  });

  test('a changed call says so, and shows what was run', () => {
    const changed = verdict({ changed: '{"path":"b.ts"}', original: '{"path":"a.ts"}' });
    const words = describeCall(
      call({ tool: 'read_file', argumentsText: '{"path":"a.ts"}', start: null, verdict: changed }),
    );
    expect(words).toMatchObject({ object: 'b.ts', facts: ['you allowed it, changed by you'] });
  });

  test('arguments that are no JSON give no object and no fault', () => {
    expect(describeCall(call({ tool: 'read_file', argumentsText: '{"pa', start: null })).object).toBe('');
  });
});

describe('describeOutcome', () => {
  test('every end of a turn but a whole one says what happened, with a next step', () => {
    const outcomes: Outcome[] = [
      { type: 'cancelled', source: 'person' },
      { type: 'interrupted' },
      { type: 'budget-reached', budget: 'tool-rounds', limit: 200 },
      { type: 'loop-detected', call: 'grep', times: 3 },
      { type: 'failed', error: { code: 'provider.no-key', message: 'There is no key.', retryable: false } },
    ];
    for (const outcome of outcomes) expect(describeOutcome(outcome)?.goOn ?? '').not.toBe('');
    expect(describeOutcome({ type: 'completed' })).toBeNull();
    expect(outcomes.map((outcome) => describeOutcome(outcome)?.openSettings)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
  });
});

describe('describeAuthority', () => {
  const project = fakeProject('shop', 1);
  const view = (patch: Partial<AuthorityView> = {}): AuthorityView => fakeAuthority(project, patch);

  test('groups what it may do by how, and says what it may not', () => {
    expect(describeAuthority(view())).toEqual({
      may: [
        { what: ['read and search files'], how: '' },
        { what: ['change files'], how: 'asking each time' },
        { what: ['run commands'], how: 'confined, asking each time' },
      ],
      mayNot: ['use the network'],
    });
  });

  test('commands that are not confined are said to be so', () => {
    const open = view({ confinement: { on: false, available: true, reason: '' } });
    expect(describeAuthority(open).may.at(-1)?.how).toBe('not confined, asking each time');
    expect(describeChange({ change: 'altered', part: 'limit x', before: '1', after: '2', widens: true })).toBe(
      'Altered limit x: 1 to 2',
    );
  });
});

describe('the ledger in words', () => {
  const row = (patch: Partial<LedgerRow>): LedgerRow => ({
    ...id,
    seq: 1,
    atMs: 0,
    effects: [],
    decision: 'run',
    by: { who: 'person' },
    reason: '',
    lasting: 'once',
    digest: 'd',
    confined: false,
    changedByPerson: false,
    startedAtMs: null,
    status: 'ok',
    durationMs: 1,
    ...patch,
  });

  test('names who or what decided, and how it ended', () => {
    expect(whoDecided(row({ lasting: 'session', changedByPerson: true }))).toBe(
      'you allowed it, changed by you, for this chat',
    );
    expect(whoDecided(row({ decision: 'waiting', by: null }))).toBe('waits for you');
    expect(whoDecided(row({ decision: 'deny', by: { who: 'gate', check: 'enabled' } }))).toBe(
      'stopped at the gate: the tool is off',
    );
    expect(howEnded(row({ status: null, decision: 'deny' }))).toBe('not run');
    expect(howEnded(row({ status: null, startedAtMs: 5 }))).toBe('running');
  });

  test('filters by who answered and by words, newest first', () => {
    const rows = [
      row({ seq: 1 }),
      row({ seq: 2, by: { who: 'mode', mode: 'auto' } }),
      row({ seq: 3, decision: 'deny', status: 'denied', summary: 'Read .env' }),
    ];
    expect(filterLedger(rows, 'all', '').map(({ seq }) => seq)).toEqual([3, 2, 1]);
    expect(filterLedger(rows, 'itself', '').map(({ seq }) => seq)).toEqual([2]);
    expect(filterLedger(rows, 'all', '.ENV').map(({ seq }) => seq)).toEqual([3]);
  });
});

describe('text for showing', () => {
  test('terminal sequences are taken out and rewritten lines show their last state', () => {
    expect(stripAnsi('\u001b[1;31mred\u001b[0m \u001b]8;;https://x\u0007link\u001b]8;;\u0007')).toBe('red link');
    expect(stripAnsi('10 %\r50 %\r100 %\r\nnext')).toBe('100 %\nnext');
  });

  test('long text is cut at lines, and its pieces join to it', () => {
    const text = 'line of text\n'.repeat(3000);
    const pieces = cutText(text);
    expect(pieces.join('')).toBe(text);
    expect(pieces.slice(0, -1).every((piece) => piece.endsWith('\n'))).toBe(true);
    expect([740, 65_536, 1_650_000].map(showSize)).toEqual(['740 characters', '64 KB', '1.6 MB']);
    expect([9, 1200, 38_000, 245_000, 7_380_000].map(showElapsed)).toEqual([
      '9 ms',
      '1.2 s',
      '38 s',
      '4 min 5 s',
      '2 h 3 min',
    ]);
  });
});
