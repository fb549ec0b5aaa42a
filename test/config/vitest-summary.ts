// A vitest reporter that writes the run's summary for run-tests.ts. Errors outside of tests, and files that could not
// be loaded, count as failures.
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';
import { failureText, splitSkipReason, writeSummary } from './run-summary.ts';
import type { RunSummary } from './run-summary.ts';

/** Sums up `modules` and `unhandled` errors: each failure with its text, each skipped test with its reason. */
export function summarise(modules: readonly TestModule[], unhandled: readonly SerializedError[]): RunSummary {
  let passed = 0;
  const failed: RunSummary['failed'] = [];
  const fail = (title: string, errors: readonly SerializedError[]): void => {
    failed.push({ title, message: failureText(errors.map(({ message }) => message).join('\n')) });
  };
  for (const error of unhandled) fail('an error outside of any test', [error]);
  const skipped: RunSummary['skipped'] = [];
  for (const module of modules) {
    for (const error of module.errors()) fail(module.relativeModuleId, [error]);
    for (const suite of module.children.allSuites()) {
      for (const error of suite.errors()) fail(`${module.relativeModuleId} > ${suite.fullName}`, [error]);
    }
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === 'passed') passed += 1;
      else if (result.state === 'failed') fail(`${module.relativeModuleId} > ${test.fullName}`, result.errors);
      else if (result.state === 'skipped') {
        const { title, reason } = splitSkipReason(test.fullName);
        skipped.push({ title, reason: result.note ?? reason });
      }
    }
  }
  return { passed, failed, skipped };
}

export default class VitestSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    writeSummary(summarise(modules, unhandled));
  }
}
