// shell_session: a shell that keeps its folder, variables and running command between calls. Off by default. Each command
// passes the same effects, fence and limits as `shell`. Not session state: it ends with its stop, with a stopped call, with a
// change of mode or confinement, and with the chat.
import { z } from 'zod';
import { AppError } from '../base/app-error.ts';
import type { SessionId } from '../contract/ids.ts';
import type { Effect } from '../contract/authority.ts';
import type { Tool, ToolContext, ToolOutcome } from '../engine/ports.ts';
import { BUILTIN_DECLARATIONS } from './declarations.ts';
import { defineTool, type Prepared } from './define-tool.ts';
import { describeProcess } from './describe-process.ts';
import { decodeOutput, toReadableText } from './process/output-text.ts';
import type { PersistentShell, ShellStep } from './process/persistent-shell.ts';
import type { Before } from './hold-back.ts';
import { assertRunnable, captureOf, effectsOf, environmentOf, heldBack, MARK, startable } from './shell.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';

const argumentsSchema = z.strictObject({
  command: z.string().optional(),
  input: z.string().optional(),
  stop: z.boolean().optional(),
  timeout_ms: z.int().min(1).optional(),
  network: z.boolean().optional(),
  unconfined: z.boolean().optional(),
  reason: z.string().optional(),
});
type Arguments = z.infer<typeof argumentsSchema>;

/** What a call does: begin a command, give a line to it, wait on for it, or end the shell. */
type Act = 'command' | 'input' | 'wait' | 'stop';

interface State {
  readonly act: Act;
  readonly text: string;
  readonly timeoutMs: number;
  readonly network: boolean;
  readonly confined: boolean;
}

/** What a shell was begun with; a line for what runs in it goes wherever that may go. */
interface Reach {
  readonly network: boolean;
  readonly confined: boolean;
}

interface Held extends Reach {
  readonly shell: PersistentShell;
  /** The command that was begun last. */
  command: string;
  /** What was there before it began, for holdBack; null = it is not fenced. */
  readonly before: Before | null;
}

/** A shell as a person sees it. */
export interface SeenShell {
  /** The command that was begun last, as it was written. */
  readonly command: string;
  /** The command goes on; otherwise the shell waits for another one. */
  readonly running: boolean;
  readonly confined: boolean;
  readonly network: boolean;
  /** The end of what it has put out, readable. */
  readonly recent: string;
}

/** The shells of all chats that have these tools; ended by whoever made them. */
export interface HeldShells {
  /** null when the chat has none. */
  see(sessionId: SessionId): SeenShell | null;
  /** Gives a person's line to what runs in it; false when nothing runs. What reads the output next is told. */
  give(sessionId: SessionId, line: string): boolean;
  /** Ends the shell of a chat; nothing when there is none. `byPerson` = a call that waits for it is told so. */
  end(sessionId: SessionId, byPerson?: boolean): Promise<void>;
  endAll(): Promise<void>;
  /** Called when what `see` gives may be another, often; one listener, which must not throw. */
  onChange: ((sessionId: SessionId) => void) | null;
}

const actOf = ({ command, input, stop }: Arguments): Act => {
  if ([command, input, stop === true ? '' : undefined].filter((one) => one !== undefined).length > 1) {
    throw new AppError('tool.invalid-arguments', 'Give one of command, input and stop; none of them waits on.');
  }
  return stop === true ? 'stop' : command !== undefined ? 'command' : input !== undefined ? 'input' : 'wait';
};

const SUMMARIES: Readonly<Record<Act, (text: string) => string>> = {
  command: (text) => `Run ${text} in its shell`,
  input: (text) => `Give ${text} to what runs in its shell`,
  wait: () => 'Wait for its shell',
  stop: () => 'End its shell',
};

async function prepareSession(
  settings: BuiltinToolSettings,
  args: Arguments,
  { context, held }: { context: ToolContext; held: Reach | null },
): Promise<Prepared<State>> {
  const act = actOf(args);
  const text = args.command ?? args.input ?? '';
  if (act === 'command' || act === 'input') assertRunnable({ ...args, command: text });
  const { available } = await settings.confiner.probe();
  const cwd = settings.workspace.identity.path;
  const fences = available && context.confinement;
  const asked: Reach = { network: args.network ?? false, confined: fences && args.unconfined !== true };
  const { network, confined } = act === 'input' ? (held ?? asked) : asked;
  const unconfined = act === 'input' ? fences && !confined : args.unconfined === true;
  const timeoutMs = Math.min(args.timeout_ms ?? context.limits.shellTimeoutMs, context.limits.shellTimeoutMs);
  const passive: Effect[] = [{ kind: 'read-inside', target: 'its shell' }];
  const shown = { command: act === 'command' ? text : SUMMARIES[act](text), cwd };
  return {
    summary: SUMMARIES[act](text),
    effects: act === 'wait' || act === 'stop' ? passive : effectsOf({ command: text, network, unconfined }, available),
    preview: { type: 'command', ...shown, confined, network: network || !confined, timeoutMs },
    effect: { act, text, cwd, confined, network, timeoutMs },
    // What words mean here depends on all that ran before, so the same words are not the same thing.
    grant: null,
    confined,
    state: { act, text, timeoutMs, network, confined },
  };
}

class Shells implements HeldShells {
  onChange: HeldShells['onChange'] = null;
  readonly #settings: BuiltinToolSettings;
  readonly #held = new Map<SessionId, Held>();

  constructor(settings: BuiltinToolSettings) {
    this.#settings = settings;
  }

  see(sessionId: SessionId): SeenShell | null {
    const held = this.#held.get(sessionId);
    if (held === undefined || held.shell.isGone) return null;
    const { command, confined, network, shell } = held;
    const recent = toReadableText(decodeOutput(shell.recent, 'start'));
    return { command, running: shell.isRunning, confined, network, recent };
  }

  give(sessionId: SessionId, line: string): boolean {
    const shell = this.#held.get(sessionId)?.shell;
    if (shell?.isRunning !== true) return false;
    shell.note(`[A person gave it the line ${JSON.stringify(line)}.]`);
    shell.input(line);
    this.onChange?.(sessionId);
    return true;
  }

  async end(sessionId: SessionId, byPerson = false): Promise<void> {
    const held = this.#held.get(sessionId);
    if (byPerson) held?.shell.note('[A person ended the shell.]');
    this.#held.delete(sessionId);
    await held?.shell.stop();
    if (held) await heldBack(this.#settings, held.before);
    if (held) this.onChange?.(sessionId);
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((id) => this.end(id)));
  }

  /** What the shell of a chat may reach; null when there is none. */
  reachOf(sessionId: SessionId): Reach | null {
    return this.#held.get(sessionId) ?? null;
  }

  async run(state: State, context: ToolContext): Promise<ToolOutcome> {
    const { sessionId } = context;
    if (state.act === 'stop') {
      const there = this.#held.has(sessionId);
      await this.end(sessionId);
      return said('ok', there ? '[The shell has ended.]' : '[There was no shell.]');
    }
    const known = this.#held.get(sessionId);
    if (state.act === 'command' && known?.shell.isRunning === true) {
      return said('error', '[A command runs still. Wait for it, give it input, or stop the shell.]');
    }
    if (state.act !== 'command' && (known === undefined || !known.shell.isRunning)) {
      return said('error', '[Nothing runs in the shell. Give a command.]');
    }
    if (state.act === 'input' && (known?.network !== state.network || known.confined !== state.confined)) {
      return said('error', '[The shell is another one than the line was meant for. Nothing was given to it.]');
    }
    const { held, note } = await this.#shellFor(state, context);
    if (state.act === 'command') {
      held.command = state.text;
      held.shell.begin(state.text);
    }
    if (state.act === 'input') held.shell.input(state.text);
    const capture = captureOf(this.#settings, context);
    const { signal } = context;
    const step = await held.shell.step({
      timeoutMs: state.timeoutMs,
      signal,
      capture,
      tell: (text) => context.output(text),
    });
    if (step.state === 'gone' && this.#held.get(sessionId) === held) this.#held.delete(sessionId);
    const { timeoutMs } = state;
    const described = describeStep(step, { note, timeoutMs, confined: held.confined, stopped: signal.aborted });
    return { ...described, content: described.content + (await heldBack(this.#settings, held.before)) };
  }

  /** The chat's shell; another one where there is none, or what is asked for needs another fence. */
  async #shellFor(state: State, context: ToolContext): Promise<{ held: Held; note: string }> {
    const known = this.#held.get(context.sessionId);
    const { network, confined } = state;
    const fits = state.act !== 'command' || (known?.network === network && known.confined === confined);
    if (known && !known.shell.isGone && fits) return { held: known, note: '' };
    const note = known && !known.shell.isGone ? '[A new shell was begun: this needs another confinement.]\n' : '';
    await this.end(context.sessionId);
    const { PersistentShell: Shell } = await import('./process/persistent-shell.ts');
    const { command, before } = await startable(this.#settings, { script: null, network, confined }, context.signal);
    const shell = new Shell({
      command,
      cwd: this.#settings.workspace.identity.path,
      environment: await environmentOf(this.#settings, confined, context.callId),
      mark: confined ? null : `${MARK}=${context.callId}`,
      changed: () => this.onChange?.(context.sessionId),
    });
    const held: Held = { shell, network, confined, before, command: state.text };
    this.#held.set(context.sessionId, held);
    return { held, note };
  }
}

const said = (status: ToolOutcome['status'], content: string): ToolOutcome => ({
  status,
  content,
  facts: {},
  changes: [],
});

function describeStep(
  step: ShellStep,
  how: { note: string; timeoutMs: number; confined: boolean; stopped: boolean },
): ToolOutcome {
  const { note, timeoutMs, confined } = how;
  const base = { type: 'started', reason: '', signal: null, output: step.output, pipeHeld: false, pid: null } as const;
  const stopped = how.stopped ? ('cancelled' as const) : ('no' as const);
  const described = describeProcess({ ...base, exitCode: step.exitCode, stopped }, { timeoutMs, confined, mark: null });
  const content = note + described.content;
  if (step.state === 'running') {
    const still = `[It runs still, after ${String(timeoutMs)} ms. Call again with input, with stop, or with nothing to wait on.]`;
    return { ...described, status: 'ok', content: content.replace(/\[Exit code [^\]]*\]$/, still) };
  }
  return step.state === 'gone'
    ? { ...described, content: `${content}\n[The shell has ended.]` }
    : { ...described, content };
}

/** The tool, and the shells that it holds. */
export function createShellSession(settings: BuiltinToolSettings): { tool: Tool; shells: HeldShells } {
  const shells = new Shells(settings);
  const tool = defineTool<Arguments, State>({
    declaration: BUILTIN_DECLARATIONS.shell_session,
    arguments: argumentsSchema,
    prepare: (args, context) => prepareSession(settings, args, { context, held: shells.reachOf(context.sessionId) }),
    run: (state, context) => shells.run(state, context),
  });
  return { tool, shells };
}
