// edit_file: one or more replacements in a file that the session read before, published in one step; all or none.
import { z } from 'zod';
import { AppError } from '../base/app-error.ts';
import type { Tool } from '../engine/ports.ts';
import { prepareChange, runChange } from './change-file.ts';
import type { ChangeState } from './change-file.ts';
import { BUILTIN_DECLARATIONS } from './declarations.ts';
import { defineTool } from './define-tool.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';
import type { TextEdit } from './workspace/apply-edits.ts';

const editSchema = z.strictObject({
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});
const argumentsSchema = z.strictObject({
  path: z.string(),
  old_string: z.string().optional(),
  new_string: z.string().optional(),
  replace_all: z.boolean().optional(),
  edits: z.array(editSchema).min(1).max(100).optional(),
});
type Arguments = z.infer<typeof argumentsSchema>;

const toEdit = (edit: z.infer<typeof editSchema>): TextEdit => ({
  oldString: edit.old_string,
  newString: edit.new_string,
  replaceAll: edit.replace_all ?? false,
});

/** The edits of a call in either of its two forms. */
function editsOf(args: Arguments): TextEdit[] {
  const { old_string, new_string, replace_all, edits } = args;
  if (edits !== undefined && old_string === undefined && new_string === undefined) return edits.map(toEdit);
  if (edits === undefined && old_string !== undefined && new_string !== undefined) {
    return [toEdit({ old_string, new_string, replace_all })];
  }
  throw new AppError('tool.invalid-arguments', 'Give either old_string and new_string, or edits.');
}

/** The tool; see its declaration. */
export function createEditFile(settings: BuiltinToolSettings): Tool {
  return defineTool<Arguments, ChangeState>({
    declaration: BUILTIN_DECLARATIONS.edit_file,
    arguments: argumentsSchema,
    async prepare(args, context) {
      const edits = editsOf(args);
      const at = settings.workspace.parse(args.path);
      return prepareChange(settings, { tool: 'edit_file', at, request: { type: 'edits', edits } }, context);
    },
    run: (state) => runChange(settings, state),
  });
}
