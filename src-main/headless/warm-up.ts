// Lets V8 take note sooner of what the code of a step works with. A run takes a step some dozens of times, and V8 waits for
// eight calls of a function before it remembers types and compiles it: most of a run would be over by then. Nothing but
// speed depends on it.

/** The flag of V8 (`node --v8-options`): calls of a function before its types are remembered. Its own value is 8. */
export const SOONER = '--invocation-count-for-feedback-allocation=2';

let asked = false;

/** Called when a step begins, and does something at the first one: what a start alone runs would only cost more. */
export function warmUpSteps(): void {
  if (asked) return;
  asked = true;
  process.getBuiltinModule('node:v8').setFlagsFromString(SOONER);
}
