// Pieces of Markdown that hold any text without breaking out of it.

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** Text as an inline code span, on one line. */
export function code(text: string): string {
  const line = text.replace(/\s*\n\s*/g, ' ');
  const ticks = '`'.repeat(longestRun(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return `${ticks}${space}${line}${space}${ticks}`;
}

/** Text as a code block; `language` may be empty. */
export function block(text: string, language = ''): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}${language}\n${text.replace(/\n+$/, '')}\n${ticks}`;
}

/** The last `count` lines, with a line that says how many were left out. */
export function lastLines(text: string, count: number): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  if (lines.length <= count) return lines.join('\n');
  return [`[${lines.length - count} lines before]`, ...lines.slice(-count)].join('\n');
}

/** The first `count` lines, with a line that says how many were left out. */
export function firstLines(text: string, count: number): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  if (lines.length <= count) return lines.join('\n');
  return [...lines.slice(0, count), `[${lines.length - count} more lines]`].join('\n');
}

/** `1 file`, `3 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
