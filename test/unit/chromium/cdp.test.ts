import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { CdpConnection } from '../../../src-main/chromium/cdp.ts';

function connect(): { cdp: CdpConnection; input: PassThrough; sent: () => string } {
  const out = new PassThrough();
  const input = new PassThrough();
  let sent = '';
  out.on('data', (chunk: Buffer) => {
    sent += chunk.toString();
  });
  return { cdp: new CdpConnection(out, input), input, sent: () => sent };
}

test('an answer is put together from pieces cut inside a character', async () => {
  const { cdp, input, sent } = connect();
  const answer = cdp.browser.send('Browser.getVersion');
  expect(sent()).toBe('{"id":1,"method":"Browser.getVersion","params":{}}\0');
  const bytes = Buffer.from('{"id":1,"result":{"product":"é😀"}}\0');
  for (const byte of bytes) input.write(Buffer.from([byte]));
  expect(await answer).toEqual({ product: 'é😀' });
});

test('several messages in one piece reach their own sessions, in order', async () => {
  const { cdp, input } = connect();
  const seen: string[] = [];
  cdp.session('A').onEvent('Page.windowOpen', ({ url }) => seen.push(`A ${url}`));
  cdp.session('B').onEvent('Page.windowOpen', ({ url }) => seen.push(`B ${url}`));
  const done = cdp.session('A').send('Page.enable');
  const event = (sessionId: string, url: string): string =>
    `${JSON.stringify({ sessionId, method: 'Page.windowOpen', params: { url } })}\0`;
  input.write(`${event('A', '1')}${event('B', '2')}${event('A', '3')}{"id":1,"sessionId":"A","result":{}}\0`);
  await done;
  expect(seen).toEqual(['A 1', 'B 2', 'A 3']);
});

test("a refused command rejects with its method and the browser's words", async () => {
  const { cdp, input } = connect();
  const answer = cdp.browser.send('Browser.getVersion');
  input.write('{"id":1,"error":{"code":-32000,"message":"no"}}\0');
  await expect(answer).rejects.toMatchObject({ code: 'protocol', message: 'Browser.getVersion: no' });
});

test('the end of the pipe rejects what waits and what comes later, and is told once', async () => {
  const { cdp, input } = connect();
  const told: unknown[] = [];
  cdp.browser.on('closed', (reason) => told.push(reason));
  const waiting = cdp.browser.send('Browser.getVersion');
  input.destroy();
  await expect(waiting).rejects.toMatchObject({ code: 'browser-failed' });
  await expect(cdp.browser.send('Browser.close')).rejects.toMatchObject({ code: 'browser-failed' });
  expect(told).toHaveLength(1);
});
