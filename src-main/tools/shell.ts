// shell: one command by /bin/sh in the workspace, exactly as it was written, through the process door. Confined where
// this machine can and the call does not ask for more; what it asks for it asks for by its own arguments alone.
import { z } from 'zod';
import { AppError, isAppError } from '../base/app-error.ts';
import type { Effect } from '../contract/authority.ts';
import type { Tool, ToolContext, ToolOutcome } from '../engine/ports.ts';
import { BUILTIN_DECLARATIONS } from './declarations.ts';
import { defineTool } from './define-tool.ts';
import type { Prepared } from './define-tool.ts';
import { describeProcess } from './describe-process.ts';
import type { Before } from './hold-back.ts';
import type { CaptureOptions } from './process/output-capture.ts';
import { childEnvironment } from './process/child-environment.ts';
import type { FencedCommand, ProcessCommand } from './process/process-confiner.ts';
import { shownPath } from './shown-path.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';

const argumentsSchema = z.strictObject({
  command: z.string(),
  timeout_ms: z.int().min(1).optional(),
  network: z.boolean().optional(),
  unconfined: z.boolean().optional(),
  reason: z.string().optional(),
});
type Arguments = z.infer<typeof argumentsSchema>;

interface State {
  readonly command: string;
  readonly timeoutMs: number;
  readonly network: boolean;
  readonly confined: boolean;
}

/** Marks a command's processes, so that those which leave its group can be found. */
export const MARK = 'WARRANT_CALL';

/** What a command of these arguments would do; `available` = it could be confined. Shared with shell_session. */
export function effectsOf(args: Pick<Arguments, 'command' | 'network' | 'unconfined'>, available: boolean): Effect[] {
  const target = args.command;
  const effects: Effect[] = [];
  if (args.unconfined === true) effects.push({ kind: 'command-unconfined', target });
  else if (!available) effects.push({ kind: 'command-unconfinable', target });
  if (args.network === true) effects.push({ kind: 'command-network', target });
  return effects.length > 0 ? effects : [{ kind: 'command', target }];
}

/** tool.invalid-arguments for what no shell can be given, and for more than is usual without a reason. */
export function assertRunnable(args: Pick<Arguments, 'command' | 'network' | 'unconfined' | 'reason'>): void {
  if (args.command.trim() === '') throw new AppError('tool.invalid-arguments', 'The command is empty.');
  if (args.command.includes('\0') || !args.command.isWellFormed()) {
    throw new AppError('tool.invalid-arguments', 'The command has a character that no command line can hold.');
  }
  // The system's bound for one argument; more would fail at the start with a message that helps nobody.
  if (Buffer.byteLength(args.command) > 120_000) {
    throw new AppError(
      'tool.invalid-arguments',
      'The command is longer than 120,000 bytes. Write it to a file and run that.',
    );
  }
  const more = args.network === true || args.unconfined === true;
  if (more && (args.reason ?? '').trim() === '') {
    throw new AppError('tool.invalid-arguments', 'network and unconfined need a reason, for the person who decides.');
  }
}

async function prepareShell(
  settings: BuiltinToolSettings,
  args: Arguments,
  context: ToolContext,
): Promise<Prepared<State>> {
  assertRunnable(args);
  const { available } = await settings.confiner.probe();
  const { command } = args;
  const cwd = settings.workspace.identity.path;
  const network = args.network ?? false;
  const confined = available && context.confinement && args.unconfined !== true;
  const timeoutMs = Math.min(args.timeout_ms ?? context.limits.shellTimeoutMs, context.limits.shellTimeoutMs);
  const effects = effectsOf(args, available);
  const plain = effects.every((effect) => effect.kind === 'command');
  return {
    summary: `Run ${command}`,
    effects,
    preview: { type: 'command', command, cwd, confined, network: network || !confined, timeoutMs },
    effect: { command, cwd, confined, network, timeoutMs },
    grant: plain ? { tool: 'shell', covers: `${cwd}\n${command}`, describes: `exactly this command in ${cwd}` } : null,
    confined,
    state: { command, timeoutMs, network, confined },
  };
}

/** A shell as it can be started. */
export interface Startable {
  readonly command: ProcessCommand | FencedCommand;
  /** What was there before, for holdBack; null = it is not fenced. */
  readonly before: Before | null;
}

/** A shell with a script or reading from its input; fenced when it was prepared so. */
export async function startable(
  settings: BuiltinToolSettings,
  state: { readonly script: string | null; readonly network: boolean; readonly confined: boolean },
  signal: AbortSignal,
): Promise<Startable> {
  const { script } = state;
  const { sealDescriptors } = await import('./process/seal-descriptors.ts');
  await sealDescriptors();
  const windows = process.platform === 'win32';
  const command: ProcessCommand = windows
    ? { program: 'cmd.exe', arguments: ['/d', '/s', ...(script === null ? ['/q'] : ['/c', script])] }
    : { program: '/bin/sh', arguments: script === null ? [] : ['-c', script] };
  if (!state.confined) return { command, before: null };
  const { workspaceFence } = await import('./workspace-fence.ts');
  const fence = await workspaceFence(settings, { network: state.network, signal });
  return { command: settings.confiner.wrap(command, fence), before: fence.before };
}

/** Holds back what a fenced command must not leave; gives a note where there was something. */
export async function heldBack(settings: BuiltinToolSettings, before: Before | null): Promise<string> {
  if (before === null) return '';
  const { holdBack } = await import('./hold-back.ts');
  return holdBack(settings, before);
}

async function runShell(settings: BuiltinToolSettings, state: State, context: ToolContext): Promise<ToolOutcome> {
  const { signal, callId } = context;
  const { runProcess } = await import('./process/run-process.ts');
  const { network, confined } = state;
  const { command, before } = await startable(settings, { script: state.command, network, confined }, signal);
  const names = confined ? [] : await protectedNames(settings);
  const mark = state.confined ? null : `${MARK}=${callId}`;
  const outcome = await runProcess({
    command,
    cwd: settings.workspace.identity.path,
    environment: await environmentOf(settings, confined, callId),
    timeoutMs: state.timeoutMs,
    signal,
    capture: captureOf(settings, context),
    tell: (text) => context.output(text),
  });
  const about = { timeoutMs: state.timeoutMs, confined: state.confined, mark };
  const ended = describeProcess(outcome, about);
  const described = { ...ended, content: ended.content + (await heldBack(settings, before)) };
  const made = confined ? [] : (await protectedNames(settings)).filter((name) => !names.includes(name));
  if (made.length === 0) return described;
  const note = `[It made ${made.map(shownPath).join(', ')}: what is in there may run later. A person should look at it first.]`;
  return { ...described, content: `${described.content}\n${note}` };
}

/** How much of an output is kept, and where the rest goes. */
export function captureOf(settings: BuiltinToolSettings, { limits, callId }: ToolContext): CaptureOptions {
  // Half of a result's room each at most, with some left for the notes around them.
  const room = Math.max(Math.floor((limits.resultCharacters - 2000) / 2), 256);
  return {
    headBytes: Math.min(limits.shellOutputHeadBytes, room),
    tailBytes: Math.min(limits.shellOutputTailBytes, room),
    spillBytes: limits.shellSpillBytes,
    spillFolder: settings.outputFolder,
    spillId: callId.replace(/[^A-Za-z0-9-]/g, '-').slice(0, 64),
  };
}

/** Protected names at the top of the workspace: those that a command makes are told. */
async function protectedNames(settings: BuiltinToolSettings): Promise<string[]> {
  try {
    const entries = await settings.workspace.list(settings.workspace.parse('.'));
    return entries.map(({ name }) => name).filter((name) => settings.paths.isProtected(name));
  } catch (error) {
    // A command may remove the workspace itself; what it said is worth more than this look.
    if (!isAppError(error)) throw error;
    return [];
  }
}

/** The environment of a command: git's author where it does not see the home folder, a mark where it could leave its group. */
export async function environmentOf(
  settings: BuiltinToolSettings,
  confined: boolean,
  callId: string,
): Promise<Record<string, string>> {
  const environment = childEnvironment(settings.process);
  if (!confined) return { ...environment, [MARK]: callId };
  const { gitAuthorVariables } = await import('./process/git-author.ts');
  return { ...environment, ...(await gitAuthorVariables(settings.process)) };
}

/** The tool; see its declaration. */
export function createShell(settings: BuiltinToolSettings): Tool {
  return defineTool<Arguments, State>({
    declaration: BUILTIN_DECLARATIONS.shell,
    arguments: argumentsSchema,
    prepare: (args, context) => prepareShell(settings, args, context),
    run: (state, context) => runShell(settings, state, context),
  });
}
