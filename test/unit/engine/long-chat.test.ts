// A chat that never dies: hundreds of steps in a window of 32,000 tokens. All 2,000 steps, with figures: node
// test/bench/context.ts; or WARRANT_LONG=1 here.
import { expect, test } from 'vitest';
import { NEEDLE, playLongChat, WINDOW } from '../../helpers/long-chat.ts';

test('CTX-08: a chat many times as large as its window goes on without an error, and what was set aside is found', async () => {
  const { failures, most, found, same, journal, session } = await playLongChat(
    process.env['WARRANT_LONG'] === undefined ? 400 : 2000,
  );
  expect(failures).toEqual([]);
  expect(most).toBeLessThanOrEqual(WINDOW);
  expect(found).toContain(NEEDLE);
  expect(journal.of('reduction').length).toBeGreaterThan(3);
  // Most of each request is what the one before it began with: a provider's cache holds.
  expect(same).toBeGreaterThan(0.5);
  const results = session.history().filter((message) => message.role === 'tool');
  expect(results.every(({ content }) => !content.includes('set aside to make room'))).toBe(true);
});
