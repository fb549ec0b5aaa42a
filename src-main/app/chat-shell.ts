// The shell that a chat holds open between calls, for its person: what it does, a line for it, its end. Windows are told of
// changes a few times a second at most, since a shell may put out more than anybody can read.
import { AppError } from '../base/app-error.ts';
import type { SessionId } from '../contract/ids.ts';
import type { SeenShell } from '../contract/session.ts';
import type { AppContext } from './app-context.ts';
import type { SessionTools } from './session-tools.ts';

const INTERVAL_MS = 200;

export interface ChatShell {
  /** null = there is none. */
  see(): SeenShell | null;
  /** Gives a line to what runs in it. Code: process.not-running. */
  send(line: string): Promise<void>;
  /** Ends it with everything that runs in it. */
  stop(): Promise<void>;
}

/** The shell of one loaded chat. */
export function chatShell(context: AppContext, id: SessionId, { shells }: Pick<SessionTools, 'shells'>): ChatShell {
  const see = (): SeenShell | null => shells?.see(id) ?? null;
  let timer: NodeJS.Timeout | null = null;
  const tell = (): void => {
    timer = null;
    context.events.publish(id, { type: 'shell-update', shell: see() });
  };
  if (shells !== null) {
    shells.onChange = () => {
      timer ??= setTimeout(tell, INTERVAL_MS).unref();
    };
  }
  return {
    see,
    send: async (line) => {
      if (shells?.give(id, line) === true) return;
      throw new AppError('process.not-running', 'Nothing runs in the shell any more, so the line went nowhere.');
    },
    stop: async () => shells?.end(id, true),
  };
}
