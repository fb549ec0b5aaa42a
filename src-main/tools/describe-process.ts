// Says how a command ended, for the model and as facts: its output as readable text with exact words on what is left
// out, its exit, and what it left running.
import type { ResultFacts } from '../contract/entries.ts';
import type { ToolOutcome } from '../engine/ports.ts';
import { OUTPUT_PREFIX } from './process/output-id.ts';
import { decodeOutput, isBinaryOutput, toReadableText } from './process/output-text.ts';
import { findSurvivors } from './process/process-group.ts';
import type { Survivor } from './process/process-group.ts';
import type { ProcessOutcome } from './process/run-process.ts';
import type { CapturedOutput } from './process/output-capture.ts';

/** `mark` = NAME=value that the command's processes carry; null where none can be left. */
export interface DescribeOptions {
  readonly timeoutMs: number;
  readonly confined: boolean;
  readonly mark: string | null;
}

/** Where the rest of an output can be read. */
function keptNote({ spillId, spilled, total }: CapturedOutput): string {
  if (spillId === null) return ' and could not be kept';
  const part = spilled < total ? ` (its first ${spilled} bytes)` : '';
  return `; read_file ${OUTPUT_PREFIX}${spillId} reads all of it${part}`;
}

function outputText(output: CapturedOutput): string {
  if (output.total === 0) return '[No output.]';
  const whole = output.omitted === 0;
  const all = whole ? Buffer.concat([output.head, output.tail]) : output.head;
  if (isBinaryOutput(all)) {
    const note = output.spillId === null ? '' : keptNote(output);
    return `[Binary output of ${output.total} bytes is not shown${note}.]`;
  }
  if (whole) return toReadableText(decodeOutput(all, 'none')).trimEnd();
  const head = toReadableText(decodeOutput(output.head, 'end'));
  const tail = toReadableText(decodeOutput(output.tail, 'start')).trimEnd();
  return `${head}\n[… ${output.omitted} of ${output.total} bytes are left out here${keptNote(output)} …]\n${tail}`;
}

function endText(outcome: ProcessOutcome, options: DescribeOptions): string {
  if (outcome.stopped === 'timeout') return `[Stopped: it ran longer than ${options.timeoutMs} ms.]`;
  if (outcome.stopped === 'cancelled') return '[Stopped before it ended.]';
  if (outcome.signal !== null) return `[Ended by ${outcome.signal}.]`;
  return `[Exit code ${outcome.exitCode ?? 'unknown'}.]`;
}

function survivorText(survivors: readonly Survivor[], outcome: ProcessOutcome): string {
  if (survivors.length === 0) {
    return outcome.pipeHeld ? '\n[Something outside its process group still held its output; it may run on.]' : '';
  }
  const names = survivors.slice(0, 10).map(({ pid, name }) => `${pid} (${name})`);
  return `\n[Left running outside its process group: ${names.join(', ')}. Stop it with kill.]`;
}

function notRun(outcome: ProcessOutcome, options: DescribeOptions): ToolOutcome {
  if (outcome.stopped === 'cancelled') {
    return { status: 'cancelled', content: '[Stopped before it started.]', facts: { code: 'cancelled' }, changes: [] };
  }
  const fence = outcome.type === 'fence-failed';
  const code = fence ? 'process.confinement-failed' : 'process.spawn-failed';
  const what = fence ? 'The confinement could not be put up, so nothing was run' : 'The command could not be started';
  const facts: ResultFacts = { code, confined: options.confined };
  return { status: 'error', content: `${what}: ${outcome.reason}`, facts, changes: [] };
}

/** The outcome of a command. A nonzero exit is `error`, so that only `ok` means that it did what was asked. */
export function describeProcess(outcome: ProcessOutcome, options: DescribeOptions): ToolOutcome {
  if (outcome.type !== 'started') return notRun(outcome, options);
  const { output, stopped, exitCode, signal } = outcome;
  const survivors = options.mark === null ? [] : findSurvivors(options.mark, outcome.pid ?? 1);
  const content = `${outputText(output)}\n${endText(outcome, options)}${survivorText(survivors, outcome)}`;
  const facts: ResultFacts = {
    exitCode,
    signal,
    timedOut: stopped === 'timeout',
    truncated: output.omitted > 0,
    outputBytes: output.total,
    ...(output.spillId === null ? {} : { outputId: output.spillId }),
    survivors: Math.max(survivors.length, outcome.pipeHeld ? 1 : 0),
    confined: options.confined,
    ...(stopped === 'timeout' ? { code: 'tool.timed-out' } : {}),
  };
  const status = stopped === 'cancelled' ? 'cancelled' : stopped === 'no' && exitCode === 0 ? 'ok' : 'error';
  return { status, content, facts, changes: [] };
}
