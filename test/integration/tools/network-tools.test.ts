// web_fetch and datetime, against a real server on this machine.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { openTools } from '../../helpers/opened-tools.ts';
import { addressObjection } from '../../../src-main/tools/web/address-rules.ts';

checkLeaks();

async function serve(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('web_fetch', () => {
  it('EXEC-14: names itself with the exact version, and sends no cookies or credentials', async () => {
    const seen: http.IncomingHttpHeaders[] = [];
    const url = await serve((request, response) => {
      seen.push(request.headers);
      response.writeHead(200, { 'content-type': 'text/plain', 'set-cookie': 'a=b' }).end('hello');
    });
    process.env['HTTP_PROXY'] = 'http://127.0.0.1:1';
    process.env['http_proxy'] = 'http://127.0.0.1:1';
    const tools = await openTools();
    const outcome = await tools.call('web_fetch', { url });
    await tools.call('web_fetch', { url });
    delete process.env['HTTP_PROXY'];
    delete process.env['http_proxy'];
    expect(outcome).toMatchObject({ status: 'ok', content: 'HTTP 200 text/plain\n\nhello' });
    expect(seen).toHaveLength(2);
    for (const headers of seen) {
      expect(headers['user-agent']).toBe('Warrant/9.8.7');
      expect([headers.cookie, headers.authorization]).toEqual([undefined, undefined]);
    }
  });

  it('EXEC-15: a redirect is told, not followed', async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { location: '/other?x=1' }).end();
    });
    const tools = await openTools();
    const { content } = await tools.call('web_fetch', { url: `${url}/here` });
    expect(content).toContain(`It has moved to ${url}/other?x=1`);
    expect(asked).toEqual(['/here']);
  });

  it('EXEC-12: the bound holds for the decoded body, and the time is bounded', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/slow') return;
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(5_000_000, 'a')));
    });
    const tools = await openTools({ limits: { webResponseBytes: 1000 } });
    const outcome = await tools.call('web_fetch', { url });
    expect(outcome.facts).toMatchObject({ truncated: true, outputBytes: 1000 });
    const hurried = await openTools({ limits: { webTimeoutMs: 200 } });
    expect((await hurried.call('web_fetch', { url: `${url}/slow` })).facts.code).toBe('tool.timed-out');
  });

  it('EXEC-13: only plain http and https URLs are taken', async () => {
    const tools = await openTools();
    for (const url of ['file:///etc/passwd', 'ftp://x/y', 'http://user:pass@localhost/', 'example.org', 'data:,x']) {
      expect((await tools.call('web_fetch', { url })).facts.code, url).toBe('tool.invalid-arguments');
    }
  });

  it('private and link-local addresses are refused, this machine unless the URL names it', async () => {
    const tools = await openTools();
    for (const host of [
      '10.0.0.1',
      '192.168.1.1',
      '172.16.3.4',
      '169.254.169.254',
      '[fe80::1]',
      '[fd00::1]',
      '0.0.0.0',
    ]) {
      expect((await tools.call('web_fetch', { url: `http://${host}/` })).facts.code, host).toBe(
        'tool.invalid-arguments',
      );
    }
    expect((await tools.call('web_fetch', { url: 'http://[::ffff:127.0.0.1]/' })).facts.code).toBe(
      'tool.invalid-arguments',
    );
    expect((await tools.call('web_fetch', { url: 'http://2130706433:1/' })).content).toContain('127.0.0.1:1');
    expect(addressObjection('127.0.0.1', 'evil.example')).toContain('this machine');
    expect(addressObjection('10.1.2.3', 'evil.example')).toContain('private');
    expect(addressObjection('93.184.215.14', 'example.org')).toBeNull();
  });

  it('APPR-05: its effect names the URL with host and port, and nothing can be granted ahead', async () => {
    const tools = await openTools();
    expect(await tools.prepare('web_fetch', { url: 'http://localhost:8080/a#b' })).toMatchObject({
      effects: [{ kind: 'network', target: 'http://localhost:8080/a' }],
      preview: { type: 'url', host: 'localhost:8080' },
      grant: null,
    });
  });
});

describe('datetime', () => {
  it('EXEC-16: answers RFC 3339 at the offset that was asked for', async () => {
    const tools = await openTools();
    const { content } = await tools.call('datetime', { offset: '-03:30' });
    expect(content).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:30$/);
    expect(Math.abs(Date.parse(content) - Date.now())).toBeLessThan(60_000);
    expect((await tools.call('datetime', {})).content).toMatch(/Z$/);
    expect((await tools.call('datetime', { offset: 'Europe/Berlin' })).facts.code).toBe('tool.invalid-arguments');
  });
});
