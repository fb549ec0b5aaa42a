// The data of a server-sent event stream, byte splits healed by one incremental decoder. Comments, event names, ids and
// empty events are left out. What the data means is not known here.
import { AppError } from '../../base/app-error.ts';

const MAX_EVENT_CHARACTERS = 64 * 1024 * 1024;

function tooLarge(): AppError {
  return new AppError(
    'provider.bad-response',
    'The model service sent one piece larger than 64 MiB; Warrant stopped reading.',
  );
}

/** Splits text into lines, whatever its line ends, over any split of it. Costs one look at each character. */
class LineSplitter {
  #open: string[] = [];
  #openCharacters = 0;
  #heldReturn = false;

  /** Lines that are complete with this text. */
  push(text: string): string[] {
    const plain = this.#withPlainEnds(text);
    const lines = plain.split('\n');
    const rest = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = this.#takeOpen() + (lines[0] ?? '');
    }
    this.#open.push(rest);
    this.#openCharacters += rest.length;
    if (this.#openCharacters > MAX_EVENT_CHARACTERS) throw tooLarge();
    return lines;
  }

  /** What came after the last line end. */
  end(): string {
    return this.#takeOpen();
  }

  #takeOpen(): string {
    const line = this.#open.join('');
    this.#open = [];
    this.#openCharacters = 0;
    return line;
  }

  /** CRLF and CR as LF; a CR at the very end waits for what follows it. */
  #withPlainEnds(text: string): string {
    const all = this.#heldReturn ? `\r${text}` : text;
    this.#heldReturn = all.endsWith('\r');
    if (!all.includes('\r')) return all;
    return (this.#heldReturn ? all.slice(0, -1) : all).replace(/\r\n?/g, '\n');
  }
}

/** Collects the `data` of one event after another. */
class EventCollector {
  readonly #lines: string[] = [];

  /** Takes a line; gives an event's data when the line ended one that has any. */
  take(line: string): string | null {
    if (line === '') return this.flush();
    if (line.startsWith('data:')) this.#lines.push(line.slice(line.charCodeAt(5) === 32 ? 6 : 5));
    return null;
  }

  /** The data collected so far, null when there is none. */
  flush(): string | null {
    if (this.#lines.length === 0) return null;
    const data = this.#lines.length === 1 ? (this.#lines[0] ?? '') : this.#lines.join('\n');
    this.#lines.length = 0;
    return data.trim() === '' ? null : data;
  }
}

/** One batch of events that came in one piece from the network; `last` = the body has ended. */
export interface EventBatch {
  readonly data: string[];
  readonly last: boolean;
}

/**
 * Reads a body to its end and gives the data of its events, in order, one batch a network piece. An event that the body's
 * end left without its empty line is given in the last batch.
 * @throws provider.bad-response when one event exceeds 64 Mi characters; whatever the body throws.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<EventBatch> {
  const decoder = new TextDecoder();
  const splitter = new LineSplitter();
  const collector = new EventCollector();
  const collect = (lines: readonly string[]): string[] => {
    const data: string[] = [];
    for (const line of lines) {
      const event = collector.take(line);
      if (event !== null) data.push(event);
    }
    return data;
  };
  for await (const bytes of body) {
    const data = collect(splitter.push(decoder.decode(bytes, { stream: true })));
    if (data.length > 0) yield { data, last: false };
  }
  yield { data: collect([...splitter.push(decoder.decode()), splitter.end(), '']), last: true };
}
