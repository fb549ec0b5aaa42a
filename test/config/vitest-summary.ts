// A vitest reporter that writes the run's summary for run-tests.ts. Errors outside of tests, and files that could not
// be loaded, count as failures.
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';
import { splitSkipReason, writeSummary } from './run-summary.ts';
import type { RunSummary } from './run-summary.ts';

/** Counts `modules` and `unhandled` errors, each skipped test with its reason. */
export function summarise(modules: readonly TestModule[], unhandled: readonly SerializedError[]): RunSummary {
  let passed = 0;
  let failed = unhandled.length;
  const skipped: RunSummary['skipped'] = [];
  for (const module of modules) {
    failed += module.errors().length;
    for (const suite of module.children.allSuites()) failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === 'passed') passed += 1;
      else if (result.state === 'failed') failed += 1;
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
