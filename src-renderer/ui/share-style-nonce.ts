// Libraries that must add a style element of their own find the page's nonce where they look for it.
// The page's policy refuses such an element without it.

/** Reads `<meta name="style-nonce">`; call it before the first render. */
export function shareStyleNonce(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content;
  if (nonce !== undefined && nonce !== '') Object.assign(globalThis, { __webpack_nonce__: nonce });
}
