// What one test runner found, in the form in which its reporter hands it to run-tests.ts through a file.
// Leaves the printing of failures to the runners themselves.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const RunSummary = z.object({
  passed: z.int().nonnegative(),
  failed: z.array(z.object({ title: z.string(), message: z.string() })),
  skipped: z.array(z.object({ title: z.string(), reason: z.string() })),
});

/** How many tests passed, and each that failed or was skipped with why. */
export type RunSummary = z.infer<typeof RunSummary>;

/** The environment variable that names the file a reporter writes its summary to. */
export const SUMMARY_FILE = 'WARRANT_TEST_SUMMARY';

/** Stands for the reason of a skip that names none: a reader should never see it. */
const NO_REASON = 'no reason given';

/** Takes the reason out of a title that holds `(skipped: REASON)`; the title comes back without it. */
export function splitSkipReason(title: string): { readonly title: string; readonly reason: string } {
  const [note, reason] = / ?\(skipped: (.+?)\)/.exec(title) ?? [];
  return note === undefined || reason === undefined
    ? { title, reason: NO_REASON }
    : { title: title.replace(note, ''), reason };
}

/** The first lines of what a failure says, without terminal colours: enough to know it by, at the end of a long output. */
export function failureText(message: string | undefined): string {
  const plain = (message ?? '').replaceAll(/\u001b\[[\d;]*m/gu, '');
  return plain.split('\n').slice(0, 12).join('\n').slice(0, 1_500).trim();
}

/** Writes `summary` where SUMMARY_FILE says; does nothing when a person runs the runner alone. */
export function writeSummary(summary: RunSummary): void {
  const file = process.env[SUMMARY_FILE];
  if (file !== undefined) writeFileSync(file, JSON.stringify(summary));
}

/** Reads what a runner wrote. `undefined`: it ended before it could write, which the caller counts as a failure. */
export function readSummary(file: string): RunSummary | undefined {
  if (!existsSync(file)) return undefined;
  return RunSummary.parse(JSON.parse(readFileSync(file, 'utf8')));
}
