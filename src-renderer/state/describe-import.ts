// What became of an imported file, in words. Pure.
import type { EntryOf } from '../../src-main/contract/entries.ts';

const number = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** What became of a file, in one sentence. */
export function describeImport(report: EntryOf<'import'>['data']): string {
  const kept = Object.values(report.kept).reduce((sum, count) => sum + count, 0) + report.broken;
  const rest =
    kept === 0 ? '' : ` ${number(kept, 'record')} that are no part of the conversation, or not known, are kept.`;
  const broken = report.broken === 0 ? '' : ` ${number(report.broken, 'line')} of them could not be read.`;
  return `${number(report.messages, 'message')}.${rest}${broken}`;
}
