// Under which id each call and its result go to one model: the service's own id where it is of this model and not taken
// yet (some services read meaning from their ids), else ours. Decided once a call, so that results follow their calls.
import { createHash } from 'node:crypto';
import type { AssistantPart } from '../contract/entries.ts';
import type { CallId } from '../contract/ids.ts';
import { providerIdOf } from './call-metadata.ts';

type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;

/** Letters and length that every wire takes. */
const WIRE_ID = /^[a-zA-Z0-9_-]{1,64}$/;

function ownId(id: string): string {
  return WIRE_ID.test(id) ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

export class CallIds {
  readonly #ids = new Map<CallId, string>();
  readonly #used = new Set<string>();

  /** The id of a call; `sameModel` = it was made by the model that now gets it. */
  ofCall(part: CallPart, sameModel: boolean): string {
    const known = this.#ids.get(part.callId);
    if (known !== undefined) return known;
    const theirs = sameModel ? providerIdOf(part.metadata) : null;
    const fit = theirs !== null && WIRE_ID.test(theirs) && !this.#used.has(theirs);
    const id = fit ? theirs : ownId(part.callId);
    this.#ids.set(part.callId, id);
    this.#used.add(id);
    return id;
  }

  /** The id of a result: that of its call. */
  ofResult(callId: CallId): string {
    return this.#ids.get(callId) ?? ownId(callId);
  }
}
