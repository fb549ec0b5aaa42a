// Text on a terminal as it is: control, zero-width and direction-changing characters are written as escapes, so that
// nothing that is asked about can hide or move (U1, U2, U4).

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** The text with every hidden character as `\u{200B}`; line feeds and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
}

const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** An answer for a terminal: what would steer the terminal or turn the text round is escaped, emoji stay whole. */
export function terminalText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(STEERING, visibleText);
}
