// From a request to the guide's next step: the same request always gives the same step.
import type { ModelRequest } from '../../engine/ports.ts';
import { parseWish } from './parse-wish.ts';
import { planReplace, planWrite } from './plan-change.ts';
import { planHelp, planUnknown } from './plan-help.ts';
import { planList, planRead } from './plan-read.ts';
import { planRun, planRunTests } from './plan-run.ts';
import { planFindFiles, planSearch } from './plan-search.ts';
import { planSummary } from './plan-summary.ts';
import { Work, type Step } from './work.ts';

/** What the guide says and calls next; a step without calls ends the turn. */
export function planStep(request: ModelRequest): Step {
  const work = new Work(request);
  const wish = parseWish(work.message);
  switch (wish.kind) {
    case 'summarise':
      return planSummary(work);
    case 'search':
      return planSearch(work, wish.query, wish.folder);
    case 'find-files':
      return planFindFiles(work, wish.name, wish.folder);
    case 'read':
      return planRead(work, wish);
    case 'list':
      return planList(work, wish.folder);
    case 'replace':
      return planReplace(work, wish);
    case 'write':
      return planWrite(work, wish);
    case 'run':
      return planRun(work, wish.command);
    case 'run-tests':
      return planRunTests(work);
    case 'help':
      return planHelp(work);
    case 'unknown':
      return planUnknown(work);
  }
}
