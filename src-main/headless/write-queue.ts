// Writes to the program's streams once a turn of the event loop, in order over both: a write to a pipe or a file holds
// the thread, and an answer comes in many pieces. Nothing waits longer than the work that is at hand.

/** A queue of text for streams. */
export interface WriteQueue {
  /** Puts `text` behind all that was put before, to whichever stream. */
  write(stream: NodeJS.WritableStream, text: string): void;
  /** Writes what waits, now. */
  flush(): void;
}

/** An empty queue. */
export function writeQueue(): WriteQueue {
  let waiting: { stream: NodeJS.WritableStream; text: string }[] = [];
  const flush = (): void => {
    const texts = waiting;
    waiting = [];
    for (const { stream, text } of texts) stream.write(text);
  };
  return {
    write(stream, text) {
      if (waiting.length === 0) setImmediate(flush);
      const last = waiting.at(-1);
      if (last?.stream === stream) last.text += text;
      else waiting.push({ stream, text });
    },
    flush,
  };
}
