// What the guide can do, said with examples that fit what is offered in this chat.
import { say, type Step, type Work } from './work.ts';

interface Example {
  readonly tool: string;
  readonly wish: string;
}

const EXAMPLES: readonly Example[] = [
  { tool: 'list_directory', wish: 'summarise this project' },
  { tool: 'grep', wish: 'find TODO' },
  { tool: 'find_files', wish: 'find files named config' },
  { tool: 'read_file', wish: 'read README.md' },
  { tool: 'list_directory', wish: 'list the files in src' },
  { tool: 'edit_file', wish: 'replace "old words" by "new words" in README.md' },
  { tool: 'write_file', wish: 'create the file notes.md with "first note"' },
  { tool: 'shell', wish: 'run git status' },
];

function exampleList(work: Work): string {
  const offered = EXAMPLES.filter(({ tool }) => work.tool(tool) !== undefined);
  const missing = EXAMPLES.length - offered.length;
  const lines = offered.map(({ wish }) => `- ${wish}`);
  const more =
    missing === 0
      ? ''
      : '\n\nMore is possible with tools that are not offered in this chat right now: `/mode` and `/tools` show and change that.';
  return lines.length === 0 ? `No tool that I use is offered in this chat.${more}` : `${lines.join('\n')}${more}`;
}

/** The answer to "what can you do". */
export function planHelp(work: Work): Step {
  return say(
    `I am the guide: a small built-in planner, not a language model. I understand a handful of requests and carry them out with the tools of this chat, under the same rules as any model:\n\n${exampleList(work)}\n\nFor everything else pick a language model: \`/model\` in the window, \`--model\` in a terminal.`,
  );
}

/** The answer to a wish that the guide does not understand. */
export function planUnknown(work: Work): Step {
  return say(
    `I did not understand that. I am the guide, a small built-in planner and not a language model, so I know only requests like these:\n\n${exampleList(work)}\n\nFor free conversation pick a language model: \`/model\` in the window, \`--model\` in a terminal.`,
  );
}
