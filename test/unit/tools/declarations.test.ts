import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { toolDeclarationSchema } from '../../../src-main/contract/authority.ts';
import { builtinDeclarations } from '../../../src-main/tools/builtin-tools.ts';
import type { SearchProvider } from '../../../src-main/tools/web/search-provider.ts';
import { openTools } from '../../helpers/opened-tools.ts';

const optional = new Set(['datetime', 'shell_session', 'web_fetch', 'web_search']);
/** A service that is never asked here. */
const search: SearchProvider = {
  urlOf: () => new URL('https://search.test/'),
  search: () => Promise.resolve([]),
};
const declared = () => builtinDeclarations({ search: true });

describe('the declarations of the built-in tools', () => {
  it('TOOL-12: there are seven workspace tools, and clock and network beside them', () => {
    const names = declared().map(({ name }) => name);
    expect(names.filter((name) => !optional.has(name))).toEqual([
      'edit_file',
      'find_files',
      'grep',
      'list_directory',
      'read_file',
      'shell',
      'write_file',
    ]);
    expect(names.filter((name) => optional.has(name))).toEqual([
      'datetime',
      'shell_session',
      'web_fetch',
      'web_search',
    ]);
  });

  it('PERF-22: the seven take less than 4 KB of a request', () => {
    const sent = declared().filter(({ name }) => !optional.has(name));
    const bytes = JSON.stringify(sent.map(({ name, description, parameters }) => ({ name, description, parameters })));
    expect(Buffer.byteLength(bytes)).toBeLessThan(4096);
  });

  it('EXEC-01: the shell is presented as no security sandbox, to the model and to people', async () => {
    const shell = declared().find(({ name }) => name === 'shell');
    expect(shell?.description).toContain('Not a security sandbox');
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    expect(readme).toContain('The shell is not a security sandbox');
  });

  it('are valid, closed schemas, and a tool refuses what its schema refuses', async () => {
    const ajv = new Ajv2020({ strict: true });
    const tools = await openTools({ search });
    for (const declaration of declared()) {
      toolDeclarationSchema.parse(declaration);
      const validate = ajv.compile(declaration.parameters);
      expect(validate({ no_such_argument: 1 }), declaration.name).toBe(false);
      expect(await tools.prepare(declaration.name, { no_such_argument: 1 })).toMatchObject({
        refused: true,
        code: 'tool.invalid-arguments',
      });
    }
  });

  it('what the schema takes the tool takes, with every argument given', async () => {
    const tools = await openTools({ search });
    const all: Record<string, object> = {
      read_file: { path: 'a', offset: 1, limit: 1 },
      list_directory: { path: '.' },
      find_files: { pattern: '*', path: '.' },
      grep: { pattern: 'x', path: '.', glob: '*', ignore_case: true },
      write_file: { path: 'a', content: '' },
      shell: { command: 'ls', timeout_ms: 1, network: true, unconfined: true, reason: 'x' },
      datetime: { offset: 'Z' },
      web_fetch: { url: 'https://example.org' },
      web_search: { query: 'x', count: 3 },
    };
    const ajv = new Ajv2020({ strict: true });
    for (const declaration of declared().filter(({ name }) => name !== 'edit_file' && name !== 'shell_session')) {
      const args = all[declaration.name];
      const properties = Object.keys(declaration.parameters['properties'] ?? {});
      expect(Object.keys(args ?? {}).sort(), declaration.name).toEqual(properties.sort());
      expect(ajv.compile(declaration.parameters)(args), declaration.name).toBe(true);
      expect(await tools.prepare(declaration.name, args), declaration.name).not.toHaveProperty('refused');
    }
  });
});
