// Makes text for models and people of what a command wrote for a terminal: colours and cursor moves are left out, a
// carriage return goes back to the start of its line as a terminal would, other control characters are dropped.

/** CSI, OSC, DCS/SOS/PM/APC, charset and other two- and three-byte sequences. */
const SEQUENCES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]+[0-~]|[0-~])|\u009b[0-?]*[ -/]*[@-~]/g;
/** Everything below space but tab, line feed, carriage return and backspace. */
const CONTROLS = /[\u0000-\u0007\u000b\u000c\u000e-\u001f\u007f]/g;

/** One line with its carriage returns carried out: later text overwrites from the start, what is longer stays. */
function overwrite(line: string): string {
  if (!line.includes('\r') && !line.includes('\b')) return line;
  const shown: string[] = [];
  let column = 0;
  for (const character of line) {
    if (character === '\r') column = 0;
    else if (character === '\b') column = Math.max(0, column - 1);
    else shown[column++] = character;
  }
  return shown.join('');
}

/** The readable text of terminal output. Line ends are LF. */
export function toReadableText(raw: string): string {
  return raw.replace(SEQUENCES, '').replace(CONTROLS, '').replace(/\r+\n/g, '\n').split('\n').map(overwrite).join('\n');
}

/** Whether output is no text: a NUL, or many bytes that are no UTF-8. */
export function isBinaryOutput(bytes: Buffer): boolean {
  const probe = bytes.subarray(0, 8192);
  if (probe.includes(0)) return true;
  const text = probe.toString('utf8');
  let odd = 0;
  for (const character of text) if (character === '\uFFFD') odd += 1;
  return odd * 10 > probe.length;
}

/** Bytes as UTF-8 text; a character that was cut at the end or the start of a kept part shows as nothing. */
export function decodeOutput(bytes: Buffer, cut: 'start' | 'end' | 'none'): string {
  let from = 0;
  let to = bytes.length;
  if (cut === 'start') while (from < Math.min(4, to) && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  if (cut === 'end') {
    let lead = to - 1;
    while (lead >= 0 && lead > to - 4 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead -= 1;
    const byte = bytes[lead] ?? 0;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (lead >= 0 && needs > to - lead) to = lead;
  }
  return bytes.toString('utf8', from, to);
}
