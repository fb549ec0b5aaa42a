// Asks in the terminal. What is asked is shown verbatim; only the answers y and s allow, everything else denies.
import type { ApprovalAnswer, ApprovalQuestion, Approver } from '../engine/ports.ts';
import { askLine, type Terminal } from './ask-line.ts';
import { visibleText } from './visible-text.ts';

/** An approver over a terminal; questions come one after the other. */
export function terminalApprover(terminal: Terminal): Approver {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask(question, signal) {
      const asked = last.then(() => askOne(terminal, question, signal));
      last = asked.catch(() => undefined);
      return asked;
    },
  };
}

async function askOne(terminal: Terminal, question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
  const { prepared } = question;
  terminal.output.write(
    `\nWarrant wants to: ${visibleText(prepared.summary)}\nIt asks because ${visibleText(question.why)}.\n${describe(question)}\n`,
  );
  const session =
    question.grantable && prepared.grant ? `, s = for this session (${visibleText(prepared.grant.describes)})` : '';
  const prompt = `Allow? y = once${session}, anything else = no, with your words as the reason: `;
  const answer = (await askLine(terminal, prompt, signal))?.trim() ?? null;
  if (answer === null) return { type: 'deny', reason: 'the question was not answered', by: 'policy' };
  if (answer === 'y') return { type: 'allow', lasting: 'once', digest: prepared.digest };
  if (answer === 's' && session !== '') return { type: 'allow', lasting: 'session', digest: prepared.digest };
  return { type: 'deny', reason: answer === 'n' ? '' : answer, by: 'person' };
}

function describe({ prepared, argumentsText }: ApprovalQuestion): string {
  const { preview } = prepared;
  switch (preview.type) {
    case 'command': {
      const fence = preview.confined ? 'confined to the folder' : 'NOT confined';
      const network = preview.network ? 'with network' : 'no network';
      return `  ${visibleText(preview.command).replaceAll('\n', '\n  ')}\n  in ${visibleText(preview.cwd)}, ${fence}, ${network}, stops after ${String(preview.timeoutMs / 1000)} s`;
    }
    case 'diff':
      return visibleText(preview.diff);
    case 'url':
      return `  ${visibleText(preview.url)}\n  host ${visibleText(preview.host)}`;
    case 'path':
      return `  ${visibleText(preview.path)}`;
    case 'none':
      return `  ${visibleText(argumentsText)}`;
  }
}
