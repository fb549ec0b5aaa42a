// Decides what a link in a model's answer may be. Pure.

const ALLOWED = new Set(['https:', 'http:', 'mailto:']);

/** The address in full when it may be opened outside (https, http, mailto), else null: the link is then inert text. */
export function safeLink(href: string | undefined): string | null {
  if (href === undefined || !URL.canParse(href)) return null;
  const url = new URL(href);
  if (!ALLOWED.has(url.protocol)) return null;
  // A name and password before the host are there to make a host look like another.
  if (url.username !== '' || url.password !== '') return null;
  return url.href;
}
