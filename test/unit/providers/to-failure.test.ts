import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { toFailure } from '../../../src-main/providers/to-failure.ts';

const context = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk-1234567', started: false };

function limited(seconds: string): ReturnType<typeof toFailure> {
  const thrown = new APICallError({
    message: 'Too many',
    url: context.baseUrl,
    requestBodyValues: {},
    statusCode: 429,
    responseHeaders: { 'retry-after': seconds },
    responseBody: '{"error":{"message":"Quota used up"}}',
  });
  return toFailure(thrown, context);
}

describe('a service that has had too many requests', () => {
  it('says how long to wait when that is longer than Warrant waits by itself', () => {
    expect(limited('7200').error).toMatchObject({
      code: 'provider.rate-limited',
      details: { retryAfterMs: 7_200_000 },
    });
    expect(limited('7200').error.message).toContain('wait 2 hours');
    expect(limited('90').error.message).toContain('wait 2 minutes');
  });
  it('leaves a short wait to the line that is shown while it waits', () => {
    expect(limited('2')).toMatchObject({ retryAfterMs: 2000 });
    expect(limited('2').error.message).not.toContain('asks to wait');
  });
});
