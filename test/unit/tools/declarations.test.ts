import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { toolDeclarationSchema } from '../../../src-main/contract/authority.ts';
import { builtinDeclarations } from '../../../src-main/tools/builtin-tools.ts';
import { openTools } from '../../helpers/opened-tools.ts';

const optional = new Set(['datetime', 'web_fetch']);

describe('the declarations of the built-in tools', () => {
  it('TOOL-12: there are seven workspace tools, and clock and network beside them', () => {
    const names = builtinDeclarations().map(({ name }) => name);
    expect(names.filter((name) => !optional.has(name))).toEqual([
      'edit_file',
      'find_files',
      'grep',
      'list_directory',
      'read_file',
      'shell',
      'write_file',
    ]);
    expect(names.filter((name) => optional.has(name))).toEqual(['datetime', 'web_fetch']);
  });

  it('PERF-22: the seven take less than 4 KB of a request', () => {
    const sent = builtinDeclarations().filter(({ name }) => !optional.has(name));
    const bytes = JSON.stringify(sent.map(({ name, description, parameters }) => ({ name, description, parameters })));
    expect(Buffer.byteLength(bytes)).toBeLessThan(4096);
  });

  it('are valid, closed schemas, and a tool refuses what its schema refuses', async () => {
    const ajv = new Ajv2020({ strict: true });
    const tools = await openTools();
    for (const declaration of builtinDeclarations()) {
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
    const tools = await openTools();
    const all: Record<string, object> = {
      read_file: { path: 'a', offset: 1, limit: 1 },
      list_directory: { path: '.' },
      find_files: { pattern: '*', path: '.' },
      grep: { pattern: 'x', path: '.', glob: '*', ignore_case: true },
      write_file: { path: 'a', content: '' },
      shell: { command: 'ls', timeout_ms: 1, network: true, unconfined: true, reason: 'x' },
      datetime: { offset: 'Z' },
      web_fetch: { url: 'https://example.org' },
    };
    const ajv = new Ajv2020({ strict: true });
    for (const declaration of builtinDeclarations().filter(({ name }) => name !== 'edit_file')) {
      const args = all[declaration.name];
      const properties = Object.keys(declaration.parameters['properties'] ?? {});
      expect(Object.keys(args ?? {}).sort(), declaration.name).toEqual(properties.sort());
      expect(ajv.compile(declaration.parameters)(args), declaration.name).toBe(true);
      expect(await tools.prepare(declaration.name, args), declaration.name).not.toHaveProperty('refused');
    }
  });
});
