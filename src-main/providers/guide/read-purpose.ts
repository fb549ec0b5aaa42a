// What a project says of itself in its README: the first heading, and the first sentence of running text.

function plain(line: string): string {
  return line
    .replace(/<[^>]*>/g, '')
    .replace(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/[*_]{1,3}([^*_]+)[*_]{1,3}/g, '$1')
    .trim();
}

function isProse(line: string): boolean {
  const words = plain(line);
  if (/^(?:#|>|[-*+] |\d+\. |\||```|~~~|={3,}|-{3,}|\[[^\]]*\]:|<!--)/.test(line.trim())) return false;
  return words.length >= 20 && /[a-z]/i.test(words) && words.split(/\s+/).length >= 4;
}

/** The title and the first sentence (240 characters at most); empty where there is none. */
export function readPurpose(readme: string): { title: string; sentence: string } {
  const lines = readme
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n');
  const heading = lines.find((line) => /^#\s+\S/.test(line));
  const underlined = lines.findIndex((line, index) => /^=+\s*$/.test(line) && index > 0);
  const title = plain(heading?.replace(/^#\s+/, '') ?? lines[underlined - 1] ?? '');
  const start = lines.findIndex(isProse);
  if (start < 0) return { title, sentence: '' };
  const end = lines.findIndex((line, index) => index > start && line.trim() === '');
  const paragraph = plain(lines.slice(start, end < 0 ? undefined : end).join(' ')).replace(/\s+/g, ' ');
  const sentence = /^.*?[.!?](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph;
  return { title, sentence: sentence.length > 240 ? `${sentence.slice(0, 239)}…` : sentence };
}
