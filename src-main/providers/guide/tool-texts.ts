// Reads the texts of tool results: the lines of a file, a listing, hits. Lenient: notes that a tool adds are left out.

const NUMBERED = /^\s*\d+(?:\t|→|: | \| )/;
const NOTE = /^\s*[[(].*[\])]\s*$/;

/** The text of a file as read_file gave it, without line numbers and without the notes around it. */
export function fileText(content: string): string {
  const lines = withoutNotes(content).split('\n');
  const numbered = lines.filter((line) => NUMBERED.test(line)).length;
  if (numbered > 0 && numbered >= lines.length * 0.9) return lines.map((line) => line.replace(NUMBERED, '')).join('\n');
  return lines.join('\n');
}

/** A result without the notes at its end. */
export function withoutNotes(content: string): string {
  const lines = content.split('\n');
  while (lines.length > 0 && (NOTE.test(lines.at(-1) ?? '') || (lines.at(-1) ?? '').trim() === '')) lines.pop();
  return lines.join('\n');
}

/** One entry of a listing; folders keep no slash. */
export interface ListedEntry {
  readonly name: string;
  readonly folder: boolean;
}

/** The entries of list_directory. */
export function listedEntries(content: string): ListedEntry[] {
  const entries: ListedEntry[] = [];
  for (const line of content.split('\n')) {
    if (line.trim() === '' || NOTE.test(line)) continue;
    const name =
      line
        .split('\t')[0]
        ?.replace(/ {2,}.*$/, '')
        .replace(/ \(.*\)$/, '')
        .trim() ?? '';
    if (name === '' || /[:.]$/.test(name)) continue;
    const folder = /[/\\]$/.test(name);
    entries.push({ name: folder ? name.slice(0, -1) : name, folder });
  }
  return entries;
}

/** The paths of find_files, one a line. */
export function foundPaths(content: string): string[] {
  const lines = content.split('\n').filter((line) => line !== '' && !NOTE.test(line));
  return lines.length === 1 && /^(?:no |nothing)/i.test(lines[0] ?? '') ? [] : lines;
}

/** Notes that a tool added about what it left out; empty when it gave everything. */
export function notesOf(content: string): string {
  return content
    .split('\n')
    .filter((line) => NOTE.test(line))
    .join(' ')
    .trim();
}

/** The exit code that a shell result tells, null when it tells none. */
export function exitCodeOf(content: string): number | null {
  const told = /\bexit(?:ed)?(?: with)?(?: code| status)?[:= ]+(-?\d+)/i.exec(content)?.[1];
  return told === undefined ? null : Number(told);
}
