// A Playwright reporter that writes the run's summary for run-tests.ts. A test that passed only when it was tried again
// counts as failed: a fault that comes and goes is a fault. Errors outside of tests count as failures.
import type { Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { failureText, splitSkipReason, writeSummary } from './run-summary.ts';
import type { RunSummary } from './run-summary.ts';

const name = (test: TestCase): string => test.titlePath().slice(2).join(' > ');

function failure(test: TestCase): RunSummary['failed'][number] {
  const [first] = test.results.flatMap((result) => result.errors);
  return { title: name(test), message: failureText(first?.message) };
}

function skip(test: TestCase): RunSummary['skipped'][number] {
  const { title, reason } = splitSkipReason(name(test));
  const notes = [...test.annotations, ...test.results.flatMap((result) => result.annotations)];
  const note = notes.find((each) => (each.type === 'skip' || each.type === 'fixme') && each.description !== undefined);
  return { title, reason: note?.description ?? reason };
}

export default class PlaywrightSummary implements Reporter {
  private suite: Suite | undefined;
  private readonly errors: TestError[] = [];

  onBegin(_config: unknown, suite: Suite): void {
    this.suite = suite;
  }

  onError(error: TestError): void {
    this.errors.push(error);
  }

  onEnd(): void {
    const tests = this.suite?.allTests() ?? [];
    const outside = this.errors.map(({ message }) => ({
      title: 'an error outside of any test',
      message: failureText(message),
    }));
    writeSummary({
      passed: tests.filter((test) => test.outcome() === 'expected').length,
      failed: [...tests.filter((test) => ['unexpected', 'flaky'].includes(test.outcome())).map(failure), ...outside],
      skipped: tests.filter((test) => test.outcome() === 'skipped').map(skip),
    });
  }

  printsToStdio(): boolean {
    return false;
  }
}
