// What the guide says when a tool is not offered, or a call was refused or failed: the fact, the reason, the way on.
import { code, firstLines } from './markdown.ts';
import { say, type DoneCall, type Step } from './work.ts';

/** A tool that the wish needs is not offered. */
export function notOffered(tool: string, purpose: string): Step {
  const changes = tool === 'shell' || tool === 'edit_file' || tool === 'write_file';
  const mode = changes
    ? 'In plan mode nothing that changes or runs is offered: type `/mode ask` to switch. Otherwise it'
    : 'It';
  return say(
    `To ${purpose} I need the tool ${code(tool)}, and it is not offered to me in this chat. ${mode} may be switched off: type \`/tools\`, or open the Authority panel on the right, to switch it on. Then ask me again.`,
  );
}

/** A call that was denied or failed, in the words of its result. */
export function notDone(call: DoneCall, purpose: string): Step {
  const words = firstLines(call.content.trim().slice(0, 2000), 20);
  const quoted = words
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
  return say(
    `I could not ${purpose}. The answer to my call of ${code(call.name)} was:\n\n${quoted}\n\nNothing else was done.`,
  );
}
