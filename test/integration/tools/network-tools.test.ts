// web_fetch and datetime, against a real server on this machine.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { openTools } from '../../helpers/opened-tools.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { startTestApp, valueOf } from '../../helpers/test-app.ts';
import { searxngSearch } from '../../../src-main/tools/web/searxng-search.ts';
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

describe('web_search', () => {
  const results = (entries: unknown[]) => JSON.stringify({ query: 'q', results: entries });
  const answers = (body: string) => serve((_request, response) => response.end(body));

  it('EXEC-17: is there only where a service was supplied, and its effect is the request in full', async () => {
    expect((await openTools()).names).not.toContain('web_search');
    const tools = await openTools({ search: searxngSearch('https://search.test/base') });
    expect(await tools.prepare('web_search', { query: 'a b&c' })).toMatchObject({
      effects: [{ kind: 'network', target: 'https://search.test/base/search?q=a+b%26c&format=json' }],
      grant: null,
    });
    expect(() => searxngSearch('file:///etc')).toThrow('http or https');
  });

  it('EXEC-18: a service that breaks its bounds is refused whole, before the model sees any of it', async () => {
    const good = { title: 't', url: 'https://a.test/', snippet: 's' };
    for (const [what, records] of [
      ['too many', Array.from({ length: 3 }, () => good)],
      ['a long title', [{ ...good, title: 'x'.repeat(257) }]],
      ['a long snippet', [good, { ...good, snippet: 'x'.repeat(1025) }]],
      ['a long address', [{ ...good, url: `https://a.test/${'x'.repeat(2048)}` }]],
      ['another scheme', [good, { ...good, url: 'javascript:alert(1)' }]],
      ['no record', [good, null]],
      ['no list', 'none'],
    ] as const) {
      const search = () => Promise.resolve(records as unknown as []);
      const tools = await openTools({ search: { urlOf: () => new URL('https://search.test/'), search } });
      const outcome = await tools.call('web_search', { query: 'x', count: 2 });
      expect(outcome, what).toMatchObject({ status: 'error', facts: { code: 'tool.failed' } });
      expect(outcome.content, what).not.toContain('a.test');
    }
  });

  it('EXEC-19: malformed remote entries are dropped one by one, and what is too long is cut', async () => {
    const url = await answers(
      results([
        { url: 'https://one.test/', title: 'One', content: 'first\nhit' },
        { url: 'ftp://two.test/', title: 'Two' },
        { title: 'no address' },
        'no object',
        { url: 'https://three.test/', title: 'T'.repeat(400), content: null },
      ]),
    );
    const tools = await openTools({ search: searxngSearch(url) });
    const outcome = await tools.call('web_search', { query: 'x' });
    expect(outcome.content).toBe(
      `1. One\n   https://one.test/\n   first hit\n2. ${'T'.repeat(256)}\n   https://three.test/`,
    );
    const broken = await openTools({ search: searxngSearch(await answers('<html>')) });
    expect((await broken.call('web_search', { query: 'x' })).facts.code).toBe('tool.failed');
    const none = await openTools({ search: searxngSearch(await answers(results([]))) });
    expect((await none.call('web_search', { query: 'x' })).content).toBe('[Nothing was found.]');
  });

  it('EXEC-20: a stopped search ends at once and closes its connection, also where the service hangs', async () => {
    const closed: boolean[] = [];
    const asked = Promise.withResolvers<void>();
    const url = await serve((request) => {
      request.on('close', () => closed.push(true));
      asked.resolve();
    });
    const stop = new AbortController();
    const tools = await openTools({ search: searxngSearch(url) });
    const running = tools.call('web_search', { query: 'x' }, { signal: stop.signal });
    await asked.promise;
    stop.abort();
    expect(await running).toMatchObject({ status: 'cancelled' });
    await expect.poll(() => closed).toEqual([true]);
    const hangs = { urlOf: () => new URL('https://search.test/'), search: () => new Promise<never>(() => {}) };
    const other = new AbortController();
    const waiting = (await openTools({ search: hangs })).call('web_search', { query: 'x' }, { signal: other.signal });
    other.abort();
    expect(await waiting).toMatchObject({ status: 'cancelled' });
  });
});

describe('which tools there are', () => {
  const context = ['expand_reduction', 'sidecar_search'];
  const files = ['read_file', 'list_directory', 'find_files', 'grep', 'write_file', 'edit_file'];

  it('FILE-01: the six file tools are there or not as one, whatever is with the shell', async () => {
    expect((await openTools({ groups: {} })).names).toEqual([...files, 'shell']);
    expect((await openTools({ groups: { files: false } })).names).toEqual(['shell']);
    expect((await openTools({ groups: { shell: false } })).names).toEqual(files);
    expect((await openTools({ groups: { files: false, shell: false } })).names).toEqual([]);
  });

  it('EXEC-11: network and clock tools are absent unless each is asked for', async () => {
    const none = { files: false, shell: false };
    const search = searxngSearch('https://search.test');
    expect((await openTools({ groups: none, search })).names).toEqual([]);
    expect((await openTools({ groups: { ...none, clock: true }, search })).names).toEqual(['datetime']);
    expect((await openTools({ groups: { ...none, webFetch: true }, search })).names).toEqual(['web_fetch']);
    expect((await openTools({ groups: { ...none, webSearch: true }, search })).names).toEqual(['web_search']);
    const test = await startTestApp(await tempFolder());
    valueOf(await test.window.app.getState({}));
    const { id: projectId } = valueOf(await test.window.projects.open({ path: await tempFolder() }));
    const toolsOfNewChat = async (): Promise<string[]> => {
      const { id } = valueOf(await test.window.sessions.create({ projectId, model: 'guide' }));
      const { snapshot } = valueOf(await test.window.sessions.getAuthority({ sessionId: id }));
      return snapshot.tools.map(({ name }) => name).filter((name) => ![...files, ...context].includes(name));
    };
    expect(await toolsOfNewChat()).toEqual(['shell']);
    valueOf(await test.window.settings.update({ patch: { tools: { datetime: 'ask' } } }));
    expect(await toolsOfNewChat()).toEqual(['datetime', 'shell']);
    valueOf(await test.window.settings.update({ patch: { tools: { web_fetch: 'ask', web_search: 'ask' } } }));
    expect(await toolsOfNewChat()).toEqual(['shell', 'web_fetch']);
    valueOf(await test.window.settings.update({ patch: { searchUrl: 'https://search.test' } }));
    expect(await toolsOfNewChat()).toEqual(['shell', 'web_fetch', 'web_search']);
    await test.close();
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
