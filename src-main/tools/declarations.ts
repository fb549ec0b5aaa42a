// What models are told of the built-in tools. Short on purpose: all of it is sent with every request.
// Invariant: the names and required members are those that each tool's own argument schema parses (a test compares).
import type { ToolDeclaration } from '../contract/authority.ts';

const text = (description?: string): Record<string, unknown> =>
  description === undefined ? { type: 'string' } : { type: 'string', description };
const flag = (description: string): Record<string, unknown> => ({ type: 'boolean', description });
const whole = (minimum: number, description?: string): Record<string, unknown> => ({
  type: 'integer',
  minimum,
  ...(description === undefined ? {} : { description }),
});
const object = (properties: Record<string, unknown>, required: readonly string[]): Record<string, unknown> => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
});

const replacement = {
  old_string: text(),
  new_string: text(),
  replace_all: { type: 'boolean' },
};

/** Every built-in tool by name. */
export const BUILTIN_DECLARATIONS = {
  read_file: {
    name: 'read_file',
    description:
      'Read a text file with line numbers. Paths are relative to the workspace. `output:ID` reads the kept output of a command.',
    parameters: object({ path: text(), offset: whole(1, 'First line'), limit: whole(1, 'Number of lines') }, ['path']),
    class: 'read',
    cancellation: 'interrupt',
    builtin: true,
  },
  list_directory: {
    name: 'list_directory',
    description: 'List the names in a folder.',
    parameters: object({ path: text('Default: the workspace') }, []),
    class: 'read',
    cancellation: 'interrupt',
    builtin: true,
  },
  find_files: {
    name: 'find_files',
    description:
      'Find files by glob. A pattern without a slash matches names at any depth. Leaves out what git ignores and likely secrets.',
    parameters: object({ pattern: text('Such as *.ts or src/**/*.test.ts'), path: text('Folder to search') }, [
      'pattern',
    ]),
    class: 'read',
    cancellation: 'interrupt',
    builtin: true,
  },
  grep: {
    name: 'grep',
    description:
      'Search file contents by regular expression (ripgrep syntax). Leaves out what git ignores and likely secrets; an ignored path given as `path` is searched.',
    parameters: object(
      {
        pattern: text(),
        path: text('File or folder to search'),
        glob: text('Only files that match'),
        ignore_case: { type: 'boolean' },
      },
      ['pattern'],
    ),
    class: 'read',
    cancellation: 'interrupt',
    builtin: true,
  },
  write_file: {
    name: 'write_file',
    description: 'Create a file, or replace all of one that was read before. Makes missing folders.',
    parameters: object({ path: text(), content: text() }, ['path', 'content']),
    class: 'write',
    cancellation: 'finish',
    builtin: true,
  },
  edit_file: {
    name: 'edit_file',
    description:
      'Replace text in a file that was read before. old_string must be in it exactly once, unless replace_all. Give old_string and new_string, or several as edits.',
    parameters: object(
      {
        path: text(),
        ...replacement,
        edits: { type: 'array', items: object(replacement, ['old_string', 'new_string']), minItems: 1, maxItems: 100 },
      },
      ['path'],
    ),
    class: 'write',
    cancellation: 'finish',
    builtin: true,
  },
  shell: {
    name: 'shell',
    description:
      'Run a command with /bin/sh in the workspace. Not a security sandbox. No terminal and no input; processes left behind are ended with it. Confined where possible: writes only in the workspace, no network. Ask for more with network or unconfined, and a reason.',
    parameters: object(
      {
        command: text(),
        timeout_ms: whole(1),
        network: flag('Needs the network'),
        unconfined: flag('Cannot work confined'),
        reason: text('Why more is needed'),
      },
      ['command'],
    ),
    class: 'command',
    cancellation: 'finish',
    builtin: true,
  },
  shell_session: {
    name: 'shell_session',
    description:
      'A shell that stays between calls: it keeps its folder, variables and a running command. Give command, or input for what runs, or stop; nothing waits on. Confined as shell is. Not a security sandbox.',
    parameters: object(
      {
        command: text(),
        input: text('A line for the running command'),
        stop: flag('End the shell'),
        timeout_ms: whole(1, 'How long to wait; the command goes on'),
        network: flag('Needs the network'),
        unconfined: flag('Cannot work confined'),
        reason: text('Why more is needed'),
      },
      [],
    ),
    class: 'command',
    cancellation: 'finish',
    builtin: true,
  },
  datetime: {
    name: 'datetime',
    description: 'The present date and time (RFC 3339).',
    parameters: object({ offset: text('UTC offset such as +02:00; default Z') }, []),
    class: 'clock',
    cancellation: 'interrupt',
    builtin: true,
  },
  web_fetch: {
    name: 'web_fetch',
    description: 'Get a web page or file by http or https. Redirects are reported, not followed.',
    parameters: object({ url: text() }, ['url']),
    class: 'network',
    cancellation: 'interrupt',
    builtin: true,
  },
  web_search: {
    name: 'web_search',
    description: 'Search the web: titles, addresses and snippets.',
    parameters: object({ query: text(), count: whole(1, 'At most 50; default 10') }, ['query']),
    class: 'network',
    cancellation: 'interrupt',
    builtin: true,
  },
} as const satisfies Record<string, ToolDeclaration>;
