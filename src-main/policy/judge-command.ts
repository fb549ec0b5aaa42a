// Judges a command line: it is read by a shell grammar, each part is judged, and the worst verdict wins. Deny beats ask
// beats allow, wherever a rule is stored. Pure and synchronous; without the grammar every command is unreadable.
import { coverage, guardedRedirect } from './allow-rules.ts';
import type { CommandFacts, CommandVerdict } from './command-rule.ts';
import { gatherCommands } from './gather-commands.ts';
import { hasControlCharacters } from './portable-syntax.ts';
import { shellGrammar } from './shell-grammar.ts';
import { isNamedIn, strictVerdict } from './strict-rules.ts';

export interface CommandJudgement {
  /** null = no rule decides. */
  readonly verdict: CommandVerdict | null;
  /** Half a sentence: what allow rules do not cover; null when there is nothing to say. */
  readonly uncovered: string | null;
}

const decided = (verdict: CommandVerdict): CommandJudgement => ({ verdict, uncovered: null });

/** A text with control characters: nobody knows how it would be read. */
function judgeUnclear(text: string, facts: CommandFacts): CommandJudgement {
  const named = facts.rules.find((rule) => rule.effect === 'deny' && isNamedIn(rule, text));
  if (named) return decided({ effect: 'deny', ruleId: named.id, rule: named.rule, on: text });
  const rule = 'commands with control characters are asked for';
  return decided({ effect: 'ask', ruleId: 'control-characters', rule, on: text });
}

/**
 * What the rules about commands say of one line. `allowsAll` = a rule or setting that allows the whole tool; it covers all
 * but redirects to files that ask each time.
 */
export function judgeCommand(
  text: string,
  facts: CommandFacts,
  allowsAll: Omit<CommandVerdict, 'on'> | null,
): CommandJudgement {
  if (hasControlCharacters(text)) return judgeUnclear(text, facts);
  const gathered = gatherCommands(text, facts.posix ? shellGrammar() : null);
  const strict = strictVerdict(text, gathered, facts);
  if (strict !== null) return decided(strict);
  const [read] = gathered.reads;
  if (read === undefined) return { verdict: null, uncovered: null };
  if (allowsAll !== null) {
    const guarded = guardedRedirect(read, facts);
    if (guarded === null) return decided({ ...allowsAll, on: text });
  }
  const { rules, uncovered } = coverage(text, read, facts);
  const [first] = rules;
  if (first === undefined) return { verdict: null, uncovered };
  return decided({ effect: 'allow', ruleId: first.id, rule: rules.map(({ rule }) => rule).join('; '), on: text });
}
