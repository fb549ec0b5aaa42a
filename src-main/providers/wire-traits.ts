// What one wire tells the shared pieces about itself: how its stream events look, and how history is replayed to it.
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Wire } from '../contract/models.ts';

/** A JSON object of a stream event, read leniently. */
export type EventObject = Record<string, unknown>;

/** Where the text of a delta event lies: `holder[field]` is the text. Events of one `key` in a row may be joined. */
export interface DeltaText {
  readonly key: string;
  readonly holder: EventObject;
  readonly field: string;
}

export interface WireTraits {
  readonly wire: Exclude<Wire, 'guide'>;
  /** The text of an event that is nothing but a piece of text, reasoning or arguments; null for every other event. */
  readDelta(event: EventObject): DeltaText | null;
  /** Whether text that is no JSON was meant to be an event of this wire: then something of the answer is missing. */
  looksOwn(data: string): boolean;
  /** Whether the event only keeps the connection open, and so must not count as data. */
  isKeepAlive(event: EventObject): boolean;
  /** Whether the event says nothing but that an answer begins. */
  isOpening?(event: EventObject): boolean;
  /**
   * Puts what `next` says into the event before it (calls, how an answer ended, its usage); false where one event cannot
   * say both in this order.
   */
  takeNext?(before: EventObject, next: EventObject): boolean;
  /** Makes a repair for one stream: it may change an event in place, and tells whether it did. */
  createRepair?(): (event: EventObject) => boolean;
  /** How the arguments of earlier calls go to the SDK: as the text that the model wrote, or as an object. */
  readonly argumentsAs: 'text' | 'object';
  /** Whether a piece of reasoning goes back to the model that it came from; `hasCalls` = its answer called tools. */
  replaysReasoning(metadata: EventObject | undefined, hasCalls: boolean): boolean;
  /** Options of the call beside prompt and tools. */
  readonly callOptions: Pick<LanguageModelV4CallOptions, 'maxOutputTokens' | 'providerOptions'>;
}

/** Tells whether a parsed JSON value is an object. */
export function isObject(value: unknown): value is EventObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The only element of an array that has exactly one, if that is an object. */
export function onlyObject(value: unknown): EventObject | null {
  if (!Array.isArray(value) || value.length !== 1) return null;
  const only: unknown = value[0];
  return isObject(only) ? only : null;
}
