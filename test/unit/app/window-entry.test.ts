import { describe, expect, it } from 'vitest';
import { toFullWindowEntry, toWindowEntry } from '../../../src-main/app/window-entry.ts';
import type { Entry, EntryData } from '../../../src-main/contract/entries.ts';
import type { CallId, EntryId, SessionId, TurnId } from '../../../src-main/contract/ids.ts';

const envelope = { id: 'e' as EntryId, atMs: 1, sessionId: 's' as SessionId, parentId: null, seq: 1 };
const turnId = 't' as TurnId;

function result(content: string): Entry {
  const data: EntryData<'tool-result'> = {
    ...{ turnId, callId: 'c' as CallId, tool: 'grep', summary: '', status: 'ok', content },
    ...{ facts: {}, changes: [], durationMs: 1 },
  };
  return { ...envelope, kind: 'tool-result', data };
}

function answer(text: string, argumentsText: string): Entry {
  const call = { type: 'tool-call', callId: 'c' as CallId, name: 'write_file', argumentsText } as const;
  const data: EntryData<'assistant-message'> = {
    ...{ turnId, step: 1, model: 'm', finish: 'stop', usage: null, durationMs: 1 },
    parts: [{ type: 'text', text }, call],
  };
  return { ...envelope, kind: 'assistant-message', data };
}

describe('an entry on its way to a window', () => {
  it('a short one goes as it is', () => {
    for (const give of [toWindowEntry, toFullWindowEntry]) expect(give(result('pear'))).toEqual(result('pear'));
  });
  it('a long result says that there is more, and in full has all of it', () => {
    const entry = result('x'.repeat(100_000));
    expect(toWindowEntry(entry)).toMatchObject({ trimmed: true });
    expect(toFullWindowEntry(entry)).toEqual(entry);
  });
  it('what is too long even in full says how many characters are left out', () => {
    const full = toFullWindowEntry(result('x'.repeat(240_007)));
    expect(full).toMatchObject({ hidden: 7 });
    expect(full).not.toHaveProperty('trimmed');
  });
  it('an answer that is too long says it at once; long arguments of its calls can be asked for', () => {
    expect(toWindowEntry(answer('x'.repeat(240_009), '{}'))).toMatchObject({ hidden: 9 });
    const withArguments = toWindowEntry(answer('short', 'y'.repeat(20_000)));
    expect(withArguments).toMatchObject({ trimmed: true });
    expect(withArguments).not.toHaveProperty('hidden');
  });
});
