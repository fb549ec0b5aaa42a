// The title that a chat has until somebody gives it another.

/** A chat's first title: the first line of its first message, at word borders, 60 characters at most. */
export function firstTitle(text: string): string {
  const line = text.trim().split('\n')[0]?.replace(/\s+/g, ' ') ?? '';
  if (line.length <= 60) return line === '' ? 'New chat' : line;
  const cut = line.slice(0, 60);
  const space = cut.lastIndexOf(' ');
  return `${space > 30 ? cut.slice(0, space) : cut}…`;
}
