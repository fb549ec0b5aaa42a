// Text of the running step that is not yet an entry, kept so that a window that opens in the middle sees it.
import type { RunningText } from '../contract/session.ts';
import type { EngineEvent } from '../engine/engine-events.ts';

const OUTPUT_KEPT = 16_384;

export class RunningTextKeeper {
  #current: RunningText | null = null;

  get current(): RunningText | null {
    return this.#current;
  }

  take(event: EngineEvent): void {
    switch (event.type) {
      case 'step-start':
        this.#current = { turnId: event.turnId, step: event.step, text: '', reasoning: '', outputs: {} };
        return;
      case 'text-delta':
        if (this.#current) this.#current.text += event.text;
        return;
      case 'reasoning-delta':
        if (this.#current) this.#current.reasoning += event.text;
        return;
      case 'call-output':
        this.#output(event.callId, event.text);
        return;
      case 'call-end':
        if (this.#current) delete this.#current.outputs[event.callId];
        return;
      case 'entries-append':
        if (this.#current && event.entries.some((entry) => entry.kind === 'assistant-message')) {
          this.#current = { ...this.#current, text: '', reasoning: '' };
        }
        return;
      case 'turn-end':
        this.#current = null;
        return;
      default:
        return;
    }
  }

  #output(callId: string, text: string): void {
    if (!this.#current) return;
    const joined = (this.#current.outputs[callId] ?? '') + text;
    this.#current.outputs[callId] = joined.length > OUTPUT_KEPT ? joined.slice(-OUTPUT_KEPT) : joined;
  }
}
