// Runs one confined command through the shell tool, in a process of its own that a test may kill. Arguments: folder, command.
import path from 'node:path';
import { callIdSchema, sessionIdSchema } from '../../../src-main/contract/ids.ts';
import { defaultLimits } from '../../../src-main/contract/limits.ts';
import { createBuiltinTools } from '../../../src-main/tools/builtin-tools.ts';
import { createConfiner } from '../../../src-main/tools/process/create-confiner.ts';
import { openWorkspace } from '../../../src-main/tools/workspace/open-workspace.ts';

const [folder = '', command = ''] = process.argv.slice(2);
const workspace = await openWorkspace(folder);
const { tools } = createBuiltinTools({
  workspace,
  process: { path: process.env['PATH'] ?? '', home: folder, variables: {} },
  outputFolder: path.join(folder, 'outputs'),
  version: '0.0.0',
  paths: { isSecret: () => false, isProtected: () => false },
  confiner: createConfiner(),
  lastRead: () => null,
});
const shell = tools.find(({ declaration }) => declaration.name === 'shell');
const context = {
  callId: callIdSchema.parse('call'),
  sessionId: sessionIdSchema.parse('session'),
  limits: defaultLimits(),
  confinement: true,
  signal: new AbortController().signal,
  output: () => {},
};
const prepared = await shell?.prepare({ command }, context);
if (shell === undefined || prepared === undefined || 'refused' in prepared || !prepared.confined) process.exit(3);
await shell.run(prepared, context);
