// Leaves a field backwards by key where Shift+Tab has another meaning there.

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** Moves the focus to what comes before this element in the page's order; stays where nothing does. */
export function focusBefore(element: HTMLElement): void {
  const all = [...document.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => one.checkVisibility());
  all[all.indexOf(element) - 1]?.focus();
}
