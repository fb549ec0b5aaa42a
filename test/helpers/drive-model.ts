// Runs a model over the real tools of a folder, without an engine or a gate: for tests of what a model does with results.
import os from 'node:os';
import path from 'node:path';
import { newId } from '../../src-main/base/new-id.ts';
import type { AssistantPart } from '../../src-main/contract/entries.ts';
import type { CallId, SessionId } from '../../src-main/contract/ids.ts';
import { defaultLimits } from '../../src-main/contract/limits.ts';
import type { Model, ModelMessage, Tool, ToolContext, ToolOutcome } from '../../src-main/engine/ports.ts';
import { isProtectedPath } from '../../src-main/policy/protected-paths.ts';
import { createSecretPaths } from '../../src-main/policy/secret-paths.ts';
import { createBuiltinTools } from '../../src-main/tools/builtin-tools.ts';
import { createConfiner } from '../../src-main/tools/process/create-confiner.ts';
import { openWorkspace } from '../../src-main/tools/workspace/open-workspace.ts';
import { collect, textOf } from './converse.ts';

export interface Driven {
  /** The last answer. */
  readonly answer: string;
  /** `name arguments` of each call, in order. */
  readonly calls: readonly string[];
}

export interface Driver {
  /** One turn in a fresh conversation. `deny` names tools whose calls are denied with a reason. */
  ask(prompt: string, options?: { deny?: string; without?: readonly string[] }): Promise<Driven>;
  close(): Promise<void>;
}

const SESSION = newId<SessionId>();

/** Opens a folder with the built-in tools over it. Close it at the end. */
export async function driveModel(model: Model, folder: string): Promise<Driver> {
  const workspace = await openWorkspace(folder);
  const versions = new Map<string, string>();
  const { tools } = createBuiltinTools({
    workspace,
    process: { path: process.env['PATH'] ?? '', home: os.homedir(), variables: {} },
    outputFolder: path.join(os.tmpdir(), 'warrant-test-output'),
    version: '0.0.0',
    paths: { isSecret: createSecretPaths([]), isProtected: isProtectedPath },
    confiner: createConfiner(),
    lastRead: (_session, file) => versions.get(file) ?? null,
  });

  async function run(tool: Tool, argumentsText: string): Promise<{ content: string; failed: boolean }> {
    const context: ToolContext = {
      callId: newId<CallId>(),
      sessionId: SESSION,
      limits: defaultLimits(),
      confinement: false,
      signal: AbortSignal.timeout(30_000),
      output: () => undefined,
    };
    const prepared = await tool.prepare(JSON.parse(argumentsText), context);
    if ('refused' in prepared) return { content: prepared.content, failed: true };
    const outcome: ToolOutcome = await tool.run(prepared, context);
    const target = prepared.effects[0]?.target;
    if (target !== undefined && outcome.facts.version !== undefined) versions.set(target, outcome.facts.version);
    return { content: outcome.content, failed: outcome.status !== 'ok' };
  }

  return {
    close: () => workspace.close(),
    async ask(prompt, { deny, without = [] } = {}) {
      const offered = tools.filter((tool) => !without.includes(tool.declaration.name));
      const declarations = offered.map((tool) => tool.declaration);
      const messages: ModelMessage[] = [{ role: 'user', text: prompt }];
      const calls: string[] = [];
      for (let round = 0; round < 10; round++) {
        const events = await collect(
          model.stream({ system: '', messages, tools: declarations }, new AbortController().signal),
        );
        const answer = textOf(events);
        const parts: AssistantPart[] = [{ type: 'text', text: answer }];
        const results: ModelMessage[] = [];
        for (const event of events) {
          if (event.type !== 'call') continue;
          const { name, argumentsText } = event;
          const callId = newId<CallId>();
          calls.push(`${name} ${argumentsText}`);
          parts.push({ type: 'tool-call', callId, name, argumentsText });
          const tool = offered.find((candidate) => candidate.declaration.name === name);
          if (tool === undefined) throw new TypeError(`${name} was called and not offered.`);
          const denied = { content: 'The person denied this call: not today', failed: true };
          const result = name === deny ? denied : await run(tool, argumentsText);
          results.push({ role: 'tool', callId, name, ...result });
        }
        if (results.length === 0) return { answer, calls };
        messages.push({ role: 'assistant', parts, model: model.ref }, ...results);
      }
      return { answer: 'no end', calls };
    },
  };
}
