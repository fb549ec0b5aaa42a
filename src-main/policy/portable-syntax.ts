// Which constructs no rule about words may allow: those that two shells read differently (a command runs by whatever the
// machine has as sh), and those that start commands out of data. Pure. What is not listed here means the same in all.
import type { SyntaxNode } from './shell-grammar.ts';

/** Characters that people cannot see, or that some programs take for white space. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Whether a text has control characters but tab and line feed: nobody knows how they would be read. */
export function hasControlCharacters(text: string): boolean {
  return /\p{Cc}/u.test(text.replace(/[\t\n]/g, ''));
}

type Expansion = Extract<SyntaxNode, { type: 'ParameterExpansion' }>;

function parameterOddity(node: Expansion): string | null {
  const { operation, prefix, index } = node;
  if (index !== undefined || prefix === '!') return 'may run what a variable holds';
  if (operation === undefined) return null;
  if (operation.type !== 'Default' && operation.type !== 'Remove') return 'is not known to every shell';
  return /['"\\{}`]/.test(operation.operand.text) ? 'is quoted differently in different shells' : null;
}

/** Numbers and operators only: a name's value would be evaluated again, and may run a command. */
const isPlainArithmetic = (text: string): boolean => /^\$\(\([\d\s+\-*/%()<>=!&|^~?:]*\)\)$/.test(text);

const ODD_NODES: Readonly<Partial<Record<SyntaxNode['type'], string>>> = {
  Function: 'defines a function, which later words may call',
  Coproc: 'is not known to every shell',
  Select: 'is not known to every shell',
  ArithmeticFor: 'is not known to every shell',
  ArithmeticCommand: 'is read as commands by some shells',
  TestCommand: 'is read as a command with redirects by some shells',
  ExtendedGlob: 'is read as a command by some shells',
  ArrayValue: 'is not known to every shell',
  FileDescriptorVariable: 'is read as a command by some shells',
};

function commandOddity(node: Extract<SyntaxNode, { type: 'Command' }>): string | null {
  // `a &> f b` is one command to some shells, and to others a, then b.
  const both = node.redirects.find((each) => each.operator === '&>' || each.operator === '&>>');
  if (both === undefined) return null;
  const last = Math.max(node.name?.pos ?? 0, ...node.args.map(({ pos }) => pos));
  return last > both.pos ? 'is read as two commands by some shells' : null;
}

function wordOddity(node: SyntaxNode, text: string): string | null {
  switch (node.type) {
    case 'AnsiCQuoted':
      return text.includes("\\'") ? 'ends elsewhere in some shells' : null;
    case 'ArithmeticExpansion':
      return isPlainArithmetic(text) ? null : 'evaluates what variables hold, which may run a command';
    case 'CommandExpansion':
      if (text.startsWith('${')) return 'is not known to every shell';
      return text.startsWith('`') && text.includes('\\') ? 'is quoted differently in different shells' : null;
    case 'ParameterExpansion':
      return parameterOddity(node);
    default:
      return null;
  }
}

/** Why a node may not be allowed by a rule about words; null when it may. `text` is its source. */
export function oddity(node: SyntaxNode, text: string): string | null {
  switch (node.type) {
    case 'Script':
      return HIDDEN.test(text.replace(/[\t\n]/g, '')) ? 'has characters that cannot be seen' : null;
    case 'Command':
      return commandOddity(node);
    case 'CaseItem':
      return node.terminator === ';&' || node.terminator === ';;&' ? 'is not known to every shell' : null;
    case 'Assignment':
      return node.append === true || node.index !== undefined ? 'is read as a command by some shells' : null;
    case 'HereDoc': {
      const plain = /^(\\?[\w.-]+|'[\w.-]+'|"[\w.-]+")$/.test(node.delimiter?.text ?? '');
      return plain && node.closing !== undefined ? null : 'has an end that shells see differently';
    }
    default:
      return ODD_NODES[node.type] ?? wordOddity(node, text);
  }
}
