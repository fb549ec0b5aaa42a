import { expect, test } from 'vitest';
import type { SearchHit } from '../../../../src-main/contract/session.ts';
import { noHits, withHits } from '../../../../src-renderer/state/hit-list.ts';

const hit = (n: number): SearchHit => ({
  ...{ sessionId: 's' as never, projectId: 'p' as never, title: 't', archived: false, entryId: `e${n}` as never },
  ...{ seq: n, kind: 'title', atMs: n, before: '', match: '', after: '' },
});

test('a page is added after what is there, and what both have stands once', () => {
  const first = withHits(noHits, { hits: [hit(3), hit(2)], cursor: '2', behind: 4 });
  expect(first).toMatchObject({ phase: 'ready', cursor: '2', behind: 4 });
  const second = withHits(first, { hits: [hit(2), hit(1)], cursor: null, behind: 0 });
  expect([second.hits.map(({ seq }) => seq), second.cursor, second.behind]).toEqual([[3, 2, 1], null, 0]);
});
