// write_file: a new file, or all of a file that the session read before. Encoding, mark and line ends of an existing file
// are kept.
import { z } from 'zod';
import type { Tool } from '../engine/ports.ts';
import { prepareChange, runChange } from './change-file.ts';
import type { ChangeState } from './change-file.ts';
import { BUILTIN_DECLARATIONS } from './declarations.ts';
import { defineTool } from './define-tool.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';

const argumentsSchema = z.strictObject({ path: z.string(), content: z.string() });

/** The tool; see its declaration. */
export function createWriteFile(settings: BuiltinToolSettings): Tool {
  return defineTool<z.infer<typeof argumentsSchema>, ChangeState>({
    declaration: BUILTIN_DECLARATIONS.write_file,
    arguments: argumentsSchema,
    prepare(args, context) {
      const at = settings.workspace.parse(args.path);
      const request = { type: 'content', content: args.content } as const;
      return prepareChange(settings, { tool: 'write_file', at, request }, context);
    },
    run: (state) => runChange(settings, state),
  });
}
