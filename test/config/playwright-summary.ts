// A Playwright reporter that writes the run's summary for run-tests.ts. A test that passed only when it was tried again
// counts as failed: a fault that comes and goes is a fault. Errors outside of tests count as failures.
import type { Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { splitSkipReason, writeSummary } from './run-summary.ts';
import type { RunSummary } from './run-summary.ts';

function skip(test: TestCase): RunSummary['skipped'][number] {
  const { title, reason } = splitSkipReason(test.titlePath().slice(2).join(' > '));
  const notes = [...test.annotations, ...test.results.flatMap((result) => result.annotations)];
  const note = notes.find((each) => (each.type === 'skip' || each.type === 'fixme') && each.description !== undefined);
  return { title, reason: note?.description ?? reason };
}

export default class PlaywrightSummary implements Reporter {
  private suite: Suite | undefined;
  private errors = 0;

  onBegin(_config: unknown, suite: Suite): void {
    this.suite = suite;
  }

  onError(): void {
    this.errors += 1;
  }

  onEnd(): void {
    const tests = this.suite?.allTests() ?? [];
    const expected = tests.filter((test) => test.outcome() === 'expected');
    const skipped = tests.filter((test) => test.outcome() === 'skipped');
    writeSummary({
      passed: expected.length,
      failed: tests.length - expected.length - skipped.length + this.errors,
      skipped: skipped.map(skip),
    });
  }

  printsToStdio(): boolean {
    return false;
  }
}
