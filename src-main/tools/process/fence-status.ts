// Reads what bubblewrap says on its status descriptor: the pid of what runs inside, and how it ended. Without an exit
// code it was not the command that ended, but the fence that failed.
import type { ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';
import { z } from 'zod';

const lineSchema = z.object({ 'child-pid': z.int().optional(), 'exit-code': z.int().optional() });

export class StatusReader {
  #text = '';
  #stream: Readable | null = null;
  #childPid: number | null = null;
  #exitCode: number | null = null;

  /** Pid outside of the first process inside; null before it is known. */
  get childPid(): number | null {
    return this.#childPid;
  }

  /** Exit code of the command; null when it never ended by itself. */
  get exitCode(): number | null {
    return this.#exitCode;
  }

  /** Listens on the descriptor with this number of a child. */
  listen(child: ChildProcess, descriptor: number): void {
    const stream = child.stdio[descriptor];
    if (!(stream instanceof Readable)) return;
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#read(chunk.toString('utf8')));
  }

  end(): void {
    this.#stream?.destroy();
  }

  #read(text: string): void {
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      if (line.trim() === '') continue;
      const status = lineSchema.safeParse(JSON.parse(line));
      if (!status.success) continue;
      this.#childPid = status.data['child-pid'] ?? this.#childPid;
      this.#exitCode = status.data['exit-code'] ?? this.#exitCode;
    }
  }
}
