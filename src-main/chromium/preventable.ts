// Events whose listeners may say no, as Electron's do by `event.preventDefault()`.
import type { EventEmitter } from 'node:events';

/** Emits `name` with one event object that has `details`; gives true when a listener prevented it. */
export function emitPreventable(emitter: EventEmitter, name: string, details: Record<string, unknown> = {}): boolean {
  let prevented = false;
  emitter.emit(name, {
    ...details,
    preventDefault() {
      prevented = true;
    },
  });
  return prevented;
}
