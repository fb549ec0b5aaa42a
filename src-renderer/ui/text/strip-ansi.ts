// Terminal output as plain text: colour and cursor sequences are taken out, and a carriage return means that the line
// is written again. Pure; for showing only, never for what is run or stored.

const SEQUENCES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|[PX^_][^\u001b]*(?:\u001b\\|$)|[ -/]*[0-~]|$)|\u009b[0-?]*[ -/]*[@-~]/g;

/** The text without escape sequences; of a line that was rewritten by carriage returns, its last state. */
export function stripAnsi(text: string): string {
  const plain = text.includes('\u001b') || text.includes('\u009b') ? text.replace(SEQUENCES, '') : text;
  if (!plain.includes('\r')) return plain;
  return plain
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => {
      const states = line.split('\r').filter((state) => state !== '');
      return states.at(-1) ?? '';
    })
    .join('\n');
}
