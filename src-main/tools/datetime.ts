// datetime: the present time at one fixed offset, as RFC 3339 writes it.
import { z } from 'zod';
import { AppError } from '../base/app-error.ts';
import type { Tool } from '../engine/ports.ts';
import { BUILTIN_DECLARATIONS } from './declarations.ts';
import { defineTool, succeeded } from './define-tool.ts';

const argumentsSchema = z.strictObject({ offset: z.string().optional() });

/** Minutes east of UTC in `Z` or `+02:00`. tool.invalid-arguments for anything else. */
function offsetMinutes(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0;
  const match = /^([+-])(\d{2}):(\d{2})$/.exec(offset);
  const hours = Number(match?.[2]);
  const minutes = Number(match?.[3]);
  if (match === null || hours > 23 || minutes > 59) {
    throw new AppError('tool.invalid-arguments', 'The offset is written as Z, +02:00 or -03:30.');
  }
  return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** RFC 3339 text, to the second, of a time in Unix milliseconds at an offset such as `+02:00`. */
export function toRfc3339(timeMs: number, offset: string): string {
  const local = new Date(timeMs + offsetMinutes(offset) * 60_000).toISOString().slice(0, 19);
  return local + (offset === 'z' ? 'Z' : offset);
}

/** The tool; see its declaration. */
export function createDatetime(): Tool {
  return defineTool<z.infer<typeof argumentsSchema>, { readonly offset: string }>({
    declaration: BUILTIN_DECLARATIONS.datetime,
    arguments: argumentsSchema,
    prepare(args) {
      const offset = args.offset ?? 'Z';
      offsetMinutes(offset);
      return {
        summary: `Read the clock at ${offset}`,
        effects: [{ kind: 'clock', target: offset }],
        preview: { type: 'none' },
        effect: { offset },
        grant: null,
        confined: false,
        state: { offset },
      };
    },
    run: ({ offset }) => succeeded(toRfc3339(Date.now(), offset)),
  });
}
