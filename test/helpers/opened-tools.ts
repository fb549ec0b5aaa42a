// The built-in tools over a real folder, called as the engine calls them: prepare, then run. Keeps what the session read,
// as the app folds it from entries.
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { callIdSchema, sessionIdSchema } from '../../src-main/contract/ids.ts';
import { defaultLimits } from '../../src-main/contract/limits.ts';
import type { Limits } from '../../src-main/contract/limits.ts';
import type { PreparedCall, ToolContext, ToolOutcome, ToolRefusal } from '../../src-main/engine/ports.ts';
import { isProtectedPath } from '../../src-main/policy/protected-paths.ts';
import { createSecretPaths } from '../../src-main/policy/secret-paths.ts';
import { ALL_GROUPS, createBuiltinTools, type BuiltinGroups } from '../../src-main/tools/builtin-tools.ts';
import { createConfiner } from '../../src-main/tools/process/create-confiner.ts';
import type { ProcessConfiner } from '../../src-main/tools/process/process-confiner.ts';
import type { SearchProvider } from '../../src-main/tools/web/search-provider.ts';
import { openWorkspace } from '../../src-main/tools/workspace/open-workspace.ts';
import type { OpenOptions, Workspace } from '../../src-main/tools/workspace/open-workspace.ts';
import { tempFolder } from './temp-folder.ts';

/** A machine on which nothing can be confined. */
export const noConfiner: ProcessConfiner = {
  probe: () => Promise.resolve({ available: false, reason: 'switched off for this test' }),
  status: () => ({ available: false, reason: 'switched off for this test' }),
  wrap: () => {
    throw new TypeError('nothing can be confined here');
  },
};

export interface OpenedToolsOptions extends OpenOptions {
  readonly confined?: boolean;
  readonly limits?: Partial<Limits>;
  readonly path?: string;
  readonly home?: string;
  readonly variables?: Record<string, string>;
  readonly search?: SearchProvider;
  readonly groups?: BuiltinGroups;
}

export interface OpenedTools {
  /** In the order in which they were made. */
  readonly names: readonly string[];
  readonly root: string;
  readonly workspace: Workspace;
  readonly outputFolder: string;
  prepare(tool: string, args: unknown, context?: Partial<ToolContext>): Promise<PreparedCall | ToolRefusal>;
  /** Prepares and runs; a refusal is an error outcome with its code. */
  call(tool: string, args: unknown, context?: Partial<ToolContext>): Promise<ToolOutcome>;
  run(tool: string, prepared: PreparedCall, context?: Partial<ToolContext>): Promise<ToolOutcome>;
  /** Forgets what was read, as in another chat. */
  forget(): void;
}

let calls = 0;

/** A confiner that has looked; a machine that was too busy to tell is asked again, so that a test never runs without a fence. */
async function readyConfiner(): Promise<ProcessConfiner> {
  const confiner = createConfiner();
  for (let tries = 0; tries < 5 && !(await confiner.probe()).available; tries++);
  return confiner;
}

/** Opens a folder (an empty one without `root`) with all tools; closed at the end of the test. */
export async function openTools(options: OpenedToolsOptions = {}, root?: string): Promise<OpenedTools> {
  const folder = root ?? (await tempFolder());
  const home = options.home ?? (await tempFolder());
  const outputFolder = path.join(await tempFolder(), 'outputs');
  const workspace = await openWorkspace(
    folder,
    options.guarantee === undefined ? {} : { guarantee: options.guarantee },
  );
  onTestFinished(async () => {
    await shells?.endAll();
    await workspace.close();
  });
  const known = new Map<string, string>();
  const confiner = options.confined === true ? await readyConfiner() : noConfiner;
  const { tools, shells } = createBuiltinTools(
    {
      workspace,
      process: { path: options.path ?? process.env['PATH'] ?? '', home, variables: options.variables ?? {} },
      outputFolder,
      version: '9.8.7',
      paths: { isSecret: createSecretPaths(), isProtected: isProtectedPath },
      confiner,
      search: options.search,
      lastRead: (_session, file) => known.get(file) ?? null,
    },
    options.groups ?? ALL_GROUPS,
  );
  const contextOf = (changed: Partial<ToolContext> = {}): ToolContext => ({
    callId: callIdSchema.parse(`call-${process.pid}-${++calls}`),
    sessionId: sessionIdSchema.parse('session'),
    limits: { ...defaultLimits(), ...options.limits },
    confinement: true,
    signal: new AbortController().signal,
    output: () => {},
    ...changed,
  });
  const find = (name: string) => {
    const tool = tools.find((each) => each.declaration.name === name);
    if (tool === undefined) throw new TypeError(`no tool ${name}`);
    return tool;
  };
  const run: OpenedTools['run'] = async (name, prepared, context) => {
    const outcome = await find(name).run(prepared, contextOf(context));
    const target = prepared.effects[0]?.target;
    if (name === 'read_file' && target !== undefined && outcome.facts.version !== undefined) {
      known.set(target, outcome.facts.version);
    }
    for (const change of outcome.changes) if (change.after !== null) known.set(change.path, change.after);
    return outcome;
  };
  return {
    names: tools.map((tool) => tool.declaration.name),
    root: workspace.identity.path,
    workspace,
    outputFolder,
    prepare: (name, args, context) => find(name).prepare(args, contextOf(context)),
    run,
    async call(name, args, context) {
      const prepared = await find(name).prepare(args, contextOf(context));
      if (!('refused' in prepared)) return run(name, prepared, context);
      return { status: 'error', content: prepared.content, facts: { code: prepared.code }, changes: [] };
    },
    forget: () => known.clear(),
  };
}
