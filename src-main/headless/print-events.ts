// What a run prints: for people the answer on standard output and one quiet line a call on standard error; for programs
// one JSON event a line.
import type { Outcome } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import type { EngineEvent } from '../engine/engine-events.ts';
import { terminalText, visibleText } from './visible-text.ts';
import { writeQueue } from './write-queue.ts';

export interface Printer {
  start(sessionId: SessionId): void;
  event(event: EngineEvent): void;
  end(sessionId: SessionId, outcome: Outcome): void;
}

export interface Streams {
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
}

/** Prints for people. A program that reads the answer through a pipe gets it as it is; a terminal is never steered by it. */
export function textPrinter({ out, err }: Streams): Printer {
  const queue = writeQueue();
  const forScreen = 'isTTY' in out && out.isTTY === true ? terminalText : (text: string): string => text;
  let openLine = false;
  const line = (text: string): void => {
    if (openLine) queue.write(out, '\n');
    openLine = false;
    queue.write(err, `${visibleText(text)}\n`);
  };
  return {
    start: () => {},
    event(event) {
      if (event.type === 'text-delta') {
        queue.write(out, forScreen(event.text));
        openLine = !event.text.endsWith('\n');
      } else if (event.type === 'retry') {
        line(`· ${event.error.message} Trying again in ${String(Math.ceil(event.waitMs / 1000))} s.`);
      } else if (event.type === 'entries-append') {
        for (const entry of event.entries) {
          // Whoever asks writes to the terminal by itself, after all that was said.
          if (entry.kind === 'approval-request') queue.flush();
          if (entry.kind !== 'tool-result') continue;
          const { summary, status, content, durationMs } = entry.data;
          const why = status === 'ok' ? '' : `: ${content.split('\n')[0] ?? ''}`;
          line(`· ${summary} · ${status}${why} · ${String(durationMs)} ms`);
        }
      }
    },
    end(sessionId, outcome) {
      if (openLine) queue.write(out, '\n');
      openLine = false;
      const words = outcomeWords(outcome, sessionId);
      if (words !== '') queue.write(err, `${visibleText(words)}\n`);
      queue.flush();
    },
  };
}

/** Prints for programs. The last line has type `run-end` with the outcome. */
export function jsonPrinter({ out }: Streams): Printer {
  const queue = writeQueue();
  const print = (value: unknown): void => {
    queue.write(out, `${JSON.stringify(value)}\n`);
  };
  return {
    start(sessionId) {
      print({ type: 'run-start', sessionId });
    },
    event: print,
    end(sessionId, outcome) {
      print({ type: 'run-end', sessionId, outcome });
      queue.flush();
    },
  };
}

/** How a turn ended, in words; empty when there is nothing to say. */
export function outcomeWords(outcome: Outcome, sessionId: SessionId): string {
  switch (outcome.type) {
    case 'completed':
      return '';
    case 'failed':
      return `Error: ${outcome.error.message} (${outcome.error.code})`;
    case 'awaiting-approval':
      return `Waits for your approval. Go on with: warrant resume ${sessionId} --allow ${outcome.callIds.join(' --allow ')}`;
    case 'budget-reached':
      return `Stopped: the budget "${outcome.budget}" of ${String(outcome.limit)} is used up.`;
    case 'loop-detected':
      return `Stopped: ${outcome.call} was called the same way ${String(outcome.times)} times.`;
    case 'cancelled':
    case 'interrupted':
      return 'Stopped.';
  }
}
