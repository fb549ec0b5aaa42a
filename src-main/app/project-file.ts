// A project's own `.warrant.json`, read through the workspace door when a chat is opened. It can only narrow: deny and ask
// rules, and lower limits. What it says beside that is not taken and said. A file that cannot be read narrows most: then all
// but reading asks, as nobody knows what it was meant to forbid.
import { isAppError, toWireError } from '../base/app-error.ts';
import type { LimitName } from '../contract/limits.ts';
import type { Rule } from '../contract/settings.ts';
import { parseRuleMatch } from '../policy/rule-match.ts';
import type { Workspace } from '../tools/workspace/open-workspace.ts';

/** The file's name, at the top of the project's folder. */
export const PROJECT_FILE = '.warrant.json';
const MAX_BYTES = 64 * 1024;

/** What a project's file narrows. */
export interface ProjectFile {
  readonly rules: readonly Rule[];
  readonly limits: Readonly<Partial<Record<LimitName, number>>>;
  /** One line for each thing that it narrows, for people. */
  readonly lines: readonly string[];
  /** What of it was not taken, and why; null = all of it was. */
  readonly problem: string | null;
}

/** Tools whose calls ask while the file cannot be read. */
const ASK_WHEN_UNREADABLE = ['write_file', 'edit_file', 'shell', 'shell_session', 'web_fetch', 'web_search'];

function unreadable(why: string): ProjectFile {
  const rules = ASK_WHEN_UNREADABLE.map((match): Rule => ({ id: `${PROJECT_FILE} unreadable`, effect: 'ask', match }));
  const problem = `${PROJECT_FILE} cannot be read (${why}), so everything but reading asks.`;
  return { rules, limits: {}, lines: [], problem };
}

/** The file of an opened folder; null when there is none. Never rejects for what is in it. */
export async function readProjectFile(workspace: Workspace): Promise<ProjectFile | null> {
  const at = workspace.parse(PROJECT_FILE);
  try {
    if ((await workspace.stat(at)) === null) return null;
    const { bytes } = await workspace.read(at, MAX_BYTES);
    return await parseProjectFile(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return unreadable(isAppError(error) ? error.message : 'it is no UTF-8 text');
  }
}

/** Reads the file's text. */
export async function parseProjectFile(text: string): Promise<ProjectFile> {
  const { projectFileSchema } = await import('./project-file-schema.ts');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return unreadable(`it is not valid JSON: ${error instanceof Error ? error.message : toWireError(error).message}`);
  }
  const parsed = projectFileSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return unreadable(`${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not understood'}`);
  }
  const { deny, ask, limits, ...others } = parsed.data;
  const rules = [...toRules('deny', deny), ...toRules('ask', ask)];
  const wrong = rules.find(({ match }) => parseRuleMatch(match) === null);
  if (wrong) return unreadable(`${JSON.stringify(wrong.match)} names nothing`);
  const lower = Object.entries(limits).filter(([, value]) => value !== undefined) as [LimitName, number][];
  const extra = Object.keys(others);
  return {
    rules,
    limits: Object.fromEntries(lower),
    lines: [
      ...rules.map(({ effect, match }) => `${effect} ${match}`),
      ...lower.map(([name, value]) => `limit ${name}: at most ${String(value)}`),
    ],
    problem:
      extra.length === 0
        ? null
        : `${PROJECT_FILE} can only narrow with deny, ask and limits; not taken: ${extra.slice(0, 5).join(', ')}.`,
  };
}

function toRules(effect: 'deny' | 'ask', matches: readonly string[]): Rule[] {
  return matches.map((match, index) => ({ id: `${PROJECT_FILE} ${effect} ${String(index + 1)}`, effect, match }));
}
