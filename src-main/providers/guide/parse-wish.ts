// What a person wants of the guide, read from plain English in many spellings. Pure; bounded work on any length of text.
import { unquote, VALUE } from './quoted.ts';
import { parseWrite } from './parse-write.ts';

/** One wish that the guide can carry out; `unknown` = none of them. */
export type Wish =
  | { readonly kind: 'summarise' }
  | { readonly kind: 'search'; readonly query: string; readonly folder: string | null }
  | { readonly kind: 'find-files'; readonly name: string; readonly folder: string | null }
  | { readonly kind: 'read'; readonly path: string; readonly from: number | null; readonly to: number | null }
  | { readonly kind: 'list'; readonly folder: string }
  | {
      readonly kind: 'replace';
      readonly before: string;
      readonly after: string;
      readonly path: string;
      readonly all: boolean;
    }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'run-tests' }
  | { readonly kind: 'help' }
  | { readonly kind: 'unknown' };

/** Longer texts are only looked at for "write FILE with TEXT" and for a command. */
const MAX_PARSED = 4000;

const POLITE =
  /^(?:please|pls|hey|hi|hello|ok|okay|now|then|and|so|well|kindly|just|can you|could you|would you|will you|can i|could i|i(?:'d| would) like (?:you )?to|i want (?:you )?to|i need (?:you )?to|let'?s|let us|help me|you should|try to|go ahead and)\b[,:]?\s+/i;

/** The text without polite words around it and without closing marks. */
function bare(text: string): string {
  let current = text.trim();
  for (let next = current.replace(POLITE, ''); next !== current; next = current.replace(POLITE, '')) current = next;
  return current
    .replace(/[,\s]+(?:please|pls|thanks|thank you|for me)[.!]*$/i, '')
    .replace(/[?!]+$/, '')
    .replace(/(?<=\w|["'`”’»)])\.$/, '')
    .trim();
}

const PLACE = '(?:in|inside|within|under|of|from|at)';
const PROJECT =
  '(?:this|the|my|our|that)?\\s*(?:whole |entire )?(?:project|repo|repository|code ?base|code|folder|directory|package|app|application|library|workspace|program)';

function build(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, 'is');
}

const WHOLE_PROJECT = new RegExp(`^${PROJECT}$`, 'i');

/** A folder as a person names it; null = the whole project. */
function folderOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const name = unquote(text.replace(/^(?:the )?(?:folder|directory|dir|path)\s+/i, '').replace(/^the\s+/i, ''))
    .replace(/\s+(?:folder|directory|dir)$/i, '')
    .trim();
  const whole =
    name === '' ||
    name === '.' ||
    name === './' ||
    /^(?:here|it|root|everything|everywhere|all files|there)$/i.test(name);
  return whole || WHOLE_PROJECT.test(name) || /^this\b/i.test(name) ? null : name;
}

/** Whether a word can only be meant as a file: it has an extension, a slash, or a name that files without one have. */
export function looksLikePath(text: string): boolean {
  if (/\s/.test(text)) return false;
  return /[/\\]/.test(text) || /\.[a-z0-9]{1,12}$/i.test(text) || /^\.\w/.test(text) || BARE_FILES.test(text);
}
const BARE_FILES =
  /^(?:readme|licen[cs]e|makefile|dockerfile|changelog|contributing|gemfile|rakefile|procfile|justfile|authors|notice|codeowners)$/i;

/** A file as a person names it, with how it was meant taken off. */
function fileOf(text: string): string {
  return unquote(
    text
      .trim()
      .replace(/^(?:the |a |my )?(?:file |contents? of (?:the )?(?:file )?)?/i, '')
      .replace(/\s+file$/i, ''),
  ).trim();
}

const RUN_TESTS = build(
  '(?:run|execute|start|do|try)\\s+(?:all\\s+)?(?:the|my|our|its)?\\s*(?:unit\\s+)?(?:tests?|test suite)|test (?:it|this|everything|the project)|do the tests pass',
);
const RUN = build(
  '(?:run|execute|exec|launch|invoke)\\s+(?:the\\s+|this\\s+)?(?:shell\\s+)?(?:command:?\\s+|cmd\\s+)?(.+?)(?:\\s+(?:in|on)\\s+(?:the|a)\\s+(?:shell|terminal|console))?',
);

function parseRun(raw: string, text: string): Wish | null {
  const dollar = /^\s*[$>]\s+(\S.*)$/s.exec(raw)?.[1] ?? /^\s*\$(\S.*)$/s.exec(raw)?.[1];
  if (dollar !== undefined) return { kind: 'run', command: dollar.trim() };
  if (text.length > MAX_PARSED) return null;
  if (RUN_TESTS.test(text)) return { kind: 'run-tests' };
  const command = RUN.exec(text)?.[1];
  return command === undefined ? null : { kind: 'run', command: unquote(command) };
}

const VERB_REPLACE = '(?:replace|change|substitute|swap|rename|turn|exchange|switch|edit|update|correct|fix)';
const MANY =
  '(?:(all|every|each)\\s+)?(?:(?:of\\s+)?(?:the\\s+)?(?:occurrences?|instances?|uses?)\\s+of\\s+)?(?:the\\s+(?:word|text|string|line|name)\\s+)?';
const IN_FILE = `(?:in|inside|within|of|at)\\s+(?:the\\s+)?(?:file\\s+)?(${VALUE})`;
const BECOMES = '(?:with|by|to|into|for|as|->|=>|→)';
const REPLACE = build(
  `${VERB_REPLACE}\\s+${MANY}(${VALUE})\\s+${BECOMES}\\s+(${VALUE})\\s+(everywhere\\s+)?${IN_FILE}(\\s+everywhere)?`,
);
const REPLACE_FILE_FIRST = build(
  `${IN_FILE},?\\s+${VERB_REPLACE}\\s+${MANY}(${VALUE})\\s+${BECOMES}\\s+(${VALUE})(\\s+everywhere)?`,
);
const REMOVE = build(
  `(?:remove|delete|erase|drop)\\s+${MANY}(${VALUE})\\s+(?:from|in)\\s+(?:the\\s+)?(?:file\\s+)?(${VALUE})`,
);

function parseReplace(text: string): Wish | null {
  const usual = REPLACE.exec(text);
  if (usual !== null) {
    const [, many, before = '', after = '', everywhere, path = '', atEnd] = usual;
    const all = many !== undefined || everywhere !== undefined || atEnd !== undefined;
    return { kind: 'replace', before: unquote(before), after: unquote(after), path: fileOf(path), all };
  }
  const turned = REPLACE_FILE_FIRST.exec(text);
  if (turned !== null) {
    const [, path = '', many, before = '', after = '', atEnd] = turned;
    const all = many !== undefined || atEnd !== undefined;
    return { kind: 'replace', before: unquote(before), after: unquote(after), path: fileOf(path), all };
  }
  const removed = REMOVE.exec(text);
  if (removed === null) return null;
  const [, many, before = '', path = ''] = removed;
  return { kind: 'replace', before: unquote(before), after: '', path: fileOf(path), all: many !== undefined };
}

const LIST = build(
  `(?:list|ls|dir|tree|show|show me|give me|display|print|see|what are|which|what)\\s+(?:me\\s+)?(?:all\\s+|all of\\s+)?(?:the\\s+|my\\s+)?(?:files?(?:\\s+and\\s+folders)?|folders?|contents?|entries|directory listing|directories|structure|everything)(?:\\s+(?:are|is))?(?:\\s+there)?(?:\\s+${PLACE}\\s+(${VALUE}))?`,
);
const LIST_FOLDER = build(`(?:list|ls|dir|tree)(?:\\s+(?:${PLACE}\\s+)?(${VALUE}))?`);
const WHAT_IN = build(`(?:what(?:'s| is|s)|show me what(?:'s| is))\\s+in\\s+(${VALUE})`);

function parseList(text: string): Wish | null {
  const named = LIST.exec(text) ?? LIST_FOLDER.exec(text);
  if (named !== null) return { kind: 'list', folder: folderOf(named[1]) ?? '.' };
  const what = WHAT_IN.exec(text)?.[1];
  if (what === undefined) return null;
  const path = fileOf(what);
  if (looksLikePath(path) && !path.endsWith('/')) return { kind: 'read', path, from: null, to: null };
  return { kind: 'list', folder: folderOf(what) ?? '.' };
}

const READ_VERB =
  '(?:read|show|open|display|cat|print|view|type|see|look at|look into|give|head|explain|summari[sz]e|describe)';
const READ_LINES = build(
  `${READ_VERB}\\s+(?:me\\s+)?(?:the\\s+)?lines?\\s+(\\d{1,7})(?:\\s*(?:-|–|to|until|through|and)\\s*(\\d{1,7}))?\\s+${PLACE}\\s+(?:the\\s+)?(?:file\\s+)?(${VALUE})`,
);
const READ_LINES_LAST = build(
  `${READ_VERB}\\s+(?:me\\s+)?(?:the\\s+)?(?:file\\s+)?(${VALUE}),?\\s+lines?\\s+(\\d{1,7})(?:\\s*(?:-|–|to|until|through|and)\\s*(\\d{1,7}))?`,
);
const READ = build(`${READ_VERB}\\s+(?:me\\s+)?((?:the\\s+|my\\s+)?(?:file\\s+)?(?:contents?\\s+of\\s+)?(?:${VALUE}))`);

function lineRange(path: string, from: string | undefined, to: string | undefined): Wish {
  const first = Math.max(1, Number(from));
  return { kind: 'read', path: fileOf(path), from: first, to: Math.max(first, Number(to ?? from)) };
}

function parseRead(text: string): Wish | null {
  const lines = READ_LINES.exec(text);
  if (lines !== null) return lineRange(lines[3] ?? '', lines[1], lines[2]);
  const after = READ_LINES_LAST.exec(text);
  if (after !== null) return lineRange(after[1] ?? '', after[2], after[3]);
  const named = READ.exec(text)?.[1];
  if (named === undefined) return null;
  const path = fileOf(named);
  const meant = looksLikePath(path) || /\bfile\b/i.test(named) || /^["'`“‘«]/.test(named);
  const sure = meant || /^(?:read|cat|open|head)\b/i.test(text);
  return sure && path !== '' ? { kind: 'read', path, from: null, to: null } : null;
}

const FIND_FILES = build(
  `(?:find|search|search for|look for|locate|show|list|show me|where (?:is|are))\\s+(?:all\\s+)?(?:the\\s+|a\\s+)?(?:files?\\s+(?:(?:named|called|matching|like|with the name|whose name (?:is|contains|has))\\s+)?(${VALUE})|(${VALUE})\\s+files?)(?:\\s+${PLACE}\\s+(${VALUE}))?`,
);
const SEARCH = build(
  `(?:find|search|search for|grep|grep for|rg|look for|look up|locate|where (?:is|are|do(?:es)? (?:it|we|they) use)|which files? (?:contains?|mentions?|uses?|has|have|includes?)|who (?:uses|calls)|what (?:uses|calls))\\s+(?:for\\s+)?(?:out\\s+)?(?:where\\s+)?(?:all\\s+|every\\s+)?(?:the\\s+)?(?:(?:occurrences?|uses?|usages?|mentions?|references?|places?|lines?|matches)\\s+(?:of|to|with|containing|that (?:contain|use|mention))\\s+)?(?:the\\s+)?(?:(?:word|text|string|function|class|variable|name|type|method)\\s+)?(${VALUE})(?:\\s+(?:is\\s+|are\\s+)?(?:defined|used|mentioned|declared|called|set))?(?:\\s+(?:in|inside|within|under|across)\\s+(${VALUE}))?`,
);
const SEARCH_PLACE_FIRST = build(`(?:search|grep|look|scan)\\s+(?:in\\s+|through\\s+)?(${VALUE})\\s+for\\s+(${VALUE})`);

/** "search PLACE for X", where the place comes first. */
function placeFirst(text: string): Wish | null {
  const [, place = '', said = ''] = SEARCH_PLACE_FIRST.exec(text) ?? [];
  const query = unquote(said);
  if (place === '' || query === '' || /^["'`“‘«]/.test(place)) return null;
  return { kind: 'search', query, folder: folderOf(place) };
}

function parseSearch(text: string): Wish | null {
  const files = FIND_FILES.exec(text);
  const name = unquote(files?.[1] ?? files?.[2] ?? '');
  if (files !== null && name !== '' && !/^(?:that|which|containing|with|where|using|mentioning)\b/i.test(name)) {
    return { kind: 'find-files', name, folder: folderOf(files[3]) };
  }
  const first = placeFirst(text);
  if (first !== null) return first;
  const found = SEARCH.exec(
    text.replace(
      /^(find|search|list|show)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?files?\s+(?:that|which)\s+(?:contain|mention|use|have|include)s?\s+/i,
      'find ',
    ),
  );
  if (found === null) return null;
  const said = found[1] ?? '';
  const query = unquote(said);
  const folder = folderOf(found[2]);
  const quoted = query !== said.trim();
  if (!quoted && /[*?]/.test(query) && !/\s/.test(query)) return { kind: 'find-files', name: query, folder };
  if (!quoted && /^where (?:is|are)\b/i.test(text) && looksLikePath(query))
    return { kind: 'find-files', name: query, folder };
  return query === '' ? null : { kind: 'search', query, folder };
}

const SUMMARISE = build(
  `(?:(?:give me |make |write |show me )?(?:a |an |the )?(?:short |brief |quick )?(?:summary|overview|description)(?:\\s+(?:of|about)\\s+${PROJECT})?|(?:summari[sz]e|describe|explain|outline|analy[sz]e|explore|inspect|look at|look around|look through)(?:\\s+(?:${PROJECT}|it|this|everything))?(?:\\s+(?:to|for)\\s+me)?|(?:what(?:'s| is|s| does)|tell me (?:about|what)|what can you (?:tell|say)(?: me)? about)\\s+(?:${PROJECT}|this|it)(?:\\s+(?:about|for|do|does|is))*(?:\\s+(?:all\\s+)?about)?|what kind of ${PROJECT} is (?:this|it)|how is ${PROJECT} (?:structured|organi[sz]ed|built))`,
);
const HELP = build(
  '(?:help|help me|h|\\?|usage|commands|examples?|hi|hey|hello|hi there|good (?:morning|day|evening)|who are you|what are you|what can (?:you|i) (?:do|ask|say)(?: for me| here| with this)?|what do you (?:do|know|understand)|how do(?:es)? (?:i|this|you|it) work|how do i use (?:this|you|it)|what now|what (?:next|else))',
);

/** The wish in a message. Attachments and everything after the message's text are left out by the caller. */
export function parseWish(message: string): Wish {
  const text = bare(message);
  const run = parseRun(message, text);
  if (run !== null) return run;
  const written = parseWrite(message.trim());
  if (written !== null) return { kind: 'write', path: fileOf(written.path), content: written.content };
  if (text === '' || HELP.test(text)) return { kind: 'help' };
  if (text.length > MAX_PARSED) return { kind: 'unknown' };
  if (SUMMARISE.test(text)) return { kind: 'summarise' };
  return parseReplace(text) ?? parseList(text) ?? parseRead(text) ?? parseSearch(text) ?? { kind: 'unknown' };
}
