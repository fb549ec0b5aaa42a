// The one guard of every text field against keys that belong to an input method (Japanese, Chinese, dead keys).
// Invariant: while this is true, no key may submit, close or move anything.

/** The part of a key event that tells; React's and the browser's own events both fit. */
export interface ComposingKey {
  readonly nativeEvent?: { readonly isComposing?: boolean; readonly keyCode?: number };
  readonly isComposing?: boolean;
  readonly keyCode?: number;
}

/** 229 is what browsers give while an input method has the key, also for the key that ends the composition. */
export function isComposing(event: ComposingKey): boolean {
  const native = event.nativeEvent ?? event;
  return native.isComposing === true || native.keyCode === 229;
}
