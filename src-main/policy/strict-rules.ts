// Deny and ask rules on a command line. A rule that speaks of any part of it decides; where that cannot be ruled out it asks;
// where the text cannot be read at all, a rule whose words are in it decides, however long it is. Pure.
import { speaksOf, type Match } from './command-pattern.ts';
import { collapsed, type CommandFacts, type CommandRule, type CommandVerdict } from './command-rule.ts';
import { movesFolder, type Gathered } from './gather-commands.ts';
import { isLauncher } from './launched-commands.ts';
import type { ReadWord, StartedCommand } from './read-command.ts';

/** Some words and a few that may stand between them. */
const WINDOW = 8;

function matchOf(rule: CommandRule, command: StartedCommand): Match {
  const { pattern } = rule;
  if (pattern === null) return 'no';
  const match = speaksOf(pattern, command.words);
  if (match !== 'no' || !isLauncher(command.words[0]?.value ?? '')) return match;
  // An option of a launcher that is not known may take the word before what it starts.
  const window = pattern.words.length + WINDOW;
  const named = command.words.some(
    (_, at) => at > 0 && speaksOf(pattern, command.words.slice(at, at + window)) === 'yes',
  );
  return named ? 'maybe' : 'no';
}

/** The words of the text that was looked at last: each rule asks for the same. */
let split: { readonly text: string; readonly words: readonly ReadWord[] } = { text: '', words: [] };

function wordsIn(text: string): readonly ReadWord[] {
  if (split.text !== text) {
    const values = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').split(/[\s;|&<>()`$'"\\{}]+/);
    split = { text, words: values.map((value) => ({ text: value, value, single: true })) };
  }
  return split.words;
}

/** Whether the words of a rule stand in a text that nobody can read. */
export function isNamedIn(rule: CommandRule, text: string): boolean {
  const { pattern } = rule;
  if (pattern === null) return collapsed(text).includes(collapsed(rule.text));
  const [name] = pattern.words;
  const words = wordsIn(text);
  return words.some(
    ({ value }, at) =>
      (name === undefined || name.loose.test(value ?? '')) &&
      speaksOf(pattern, words.slice(at, at + pattern.words.length + 1)) === 'yes',
  );
}

function verdictOf(rule: CommandRule, text: string, gathered: Gathered): CommandVerdict | null {
  const verdict = (on: string, certain: boolean): CommandVerdict => {
    return { effect: certain ? rule.effect : 'ask', ruleId: rule.id, rule: rule.rule, on };
  };
  if (collapsed(rule.text) === collapsed(text)) return verdict(text, true);
  let doubt: string | null = null;
  for (const { command, hides } of gathered.commands) {
    const match = matchOf(rule, command);
    if (match === 'yes') return verdict(command.source, true);
    if (match === 'maybe' || hides) doubt ??= command.source;
  }
  for (const { unreadable, odd } of gathered.reads) {
    if (unreadable && isNamedIn(rule, text)) return verdict(text, true);
    if (unreadable || odd.length > 0) doubt ??= odd[0]?.source ?? text;
  }
  return doubt === null ? null : verdict(doubt, false);
}

function* fileVerdicts(gathered: Gathered, facts: CommandFacts): Generator<CommandVerdict> {
  const moves = facts.lasting === true || gathered.reads.some(movesFolder);
  for (const { files } of gathered.reads) {
    for (const { access, target, source } of files) {
      const known = target.value !== null && !(moves && !target.value.startsWith('/'));
      const verdict = facts.strictOnFile(access, known ? target.value : null);
      if (verdict !== null) yield { ...verdict, on: source };
    }
  }
}

/** The strictest verdict of all deny and ask rules; the first of several as strict. null = none speaks. */
export function strictVerdict(text: string, gathered: Gathered, facts: CommandFacts): CommandVerdict | null {
  let worst: CommandVerdict | null = null;
  const rules = facts.rules.filter(({ effect }) => effect !== 'allow');
  const all = [...rules.map((rule) => verdictOf(rule, text, gathered)), ...fileVerdicts(gathered, facts)];
  for (const each of all) {
    if (each !== null && (worst === null || (each.effect === 'deny' && worst.effect !== 'deny'))) worst = each;
  }
  return worst;
}
