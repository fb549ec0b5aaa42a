// The one global that the preload gives to this page.
import type { WarrantBridge } from '../../src-main/contract/api.ts';

declare global {
  interface Window {
    warrant: WarrantBridge;
  }
}

/** The bridge of this window; undefined where the page was opened without Warrant around it. */
export function windowBridge(): WarrantBridge | undefined {
  return 'warrant' in window ? window.warrant : undefined;
}
