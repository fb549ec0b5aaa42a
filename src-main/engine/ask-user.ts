// The tool with which a model asks the person something (APPR-23). It exists only where its flag is on. The turn waits for
// the answer; with nobody to ask it says so at once (APPR-24).
import { sha256Hex } from '../base/digest.ts';
import type { ToolDeclaration } from '../contract/authority.ts';
import type { Asker, PreparedCall, Tool, ToolOutcome } from './ports.ts';

export const ASK_USER = 'ask_user';

/** How the tool is declared. */
export const ASK_USER_DECLARATION: ToolDeclaration = {
  name: ASK_USER,
  description:
    'Asks the person a question and waits for the answer. Only for what you cannot find out or decide by yourself.',
  parameters: {
    type: 'object',
    properties: {
      question: { type: 'string' },
      options: { type: 'array', items: { type: 'string' }, description: 'Answers to choose from, if there are some' },
    },
    required: ['question'],
    additionalProperties: false,
  },
  class: 'read',
  cancellation: 'interrupt',
  builtin: true,
};

const NOBODY = 'There is nobody to ask. Decide by yourself, and say what you assumed.';

interface Question {
  readonly question: string;
  readonly options: readonly string[];
}

/** The tool; `asker` gives who answers right now, or null. */
export function askUser(asker: () => Asker | null): Tool {
  return {
    declaration: ASK_USER_DECLARATION,
    prepare: async (args): Promise<PreparedCall> => {
      const state = questionOf(args);
      return {
        summary: `Ask: ${state.question}`,
        effects: [{ kind: 'read-inside', target: 'the person' }],
        preview: { type: 'none' },
        digest: await sha256Hex(`${ASK_USER}\n${JSON.stringify(state)}`),
        grant: null,
        confined: true,
        state,
      };
    },
    run: async (prepared, context): Promise<ToolOutcome> => {
      const present = asker();
      if (!present) return told(NOBODY);
      const given = prepared.state as Question;
      const answer = await present.askUser({ callId: context.callId, ...given }, context.signal);
      return told(answer ?? 'The person gave no answer. Decide by yourself, and say what you assumed.');
    },
  };
}

const told = (content: string): ToolOutcome => ({ status: 'ok', content, facts: {}, changes: [] });

/** The arguments, which satisfy the schema by now. */
function questionOf(args: unknown): Question {
  if (typeof args !== 'object' || args === null) return { question: '', options: [] };
  const question = 'question' in args ? String(args.question) : '';
  const options = 'options' in args && Array.isArray(args.options) ? args.options.map(String) : [];
  return { question, options };
}
