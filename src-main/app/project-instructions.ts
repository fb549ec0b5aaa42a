// What a project tells agents in AGENTS.md and CLAUDE.md, read through the workspace door. It is shown to the person before
// it is used, and used as text alone: it gives no permission and no setting.
import { AppError, isAppError } from '../base/app-error.ts';
import { sha256Hex } from '../base/digest.ts';
import type { InstructionChoice, ProjectInstructions } from '../contract/instructions.ts';
import type { ProjectId } from '../contract/ids.ts';
import { openWorkspace, type Workspace } from '../tools/workspace/open-workspace.ts';
import type { SettingsService } from './settings-service.ts';

/** In the order in which they are told; one that says what an earlier one says is left out. */
const FILES = ['AGENTS.md', 'CLAUDE.md'];
const MAX_CHARACTERS = 32_768;
const PAGE = { offset: 1, limit: 10_000, lineCharacters: MAX_CHARACTERS, characters: MAX_CHARACTERS };

type File = ProjectInstructions['files'][number];

/** A file of the folder's top; null when it is not there, or is nothing to read (a link, a folder, no text). */
async function readFile(workspace: Workspace, name: string): Promise<File | null> {
  const at = workspace.parse(name);
  try {
    if ((await workspace.stat(at)) === null) return null;
    const page = await workspace.readPage(at, PAGE);
    const text = page.lines.join('\n');
    return text.trim() === '' ? null : { name, text, cut: page.more || page.cutLines > 0 };
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

function stateOf(choice: InstructionChoice | undefined, digest: string): ProjectInstructions['state'] {
  if (choice === undefined) return 'new';
  if (choice.digest !== digest) return 'changed';
  return choice.use ? 'used' : 'declined';
}

/** The instructions of an opened folder, and what the person decided on them; null when it gives none. */
export async function readInstructions(
  workspace: Workspace,
  choice: InstructionChoice | undefined,
): Promise<ProjectInstructions | null> {
  const files: File[] = [];
  for (const name of FILES) {
    const file = await readFile(workspace, name);
    if (file !== null && !files.some(({ text }) => text === file.text)) files.push(file);
  }
  if (files.length === 0) return null;
  const digest = await sha256Hex(JSON.stringify(files.map(({ name, text }) => [name, text])));
  return { files, digest, state: stateOf(choice, digest) };
}

/** The instructions as a part of the system prompt; '' while the person has not accepted exactly these. */
export async function instructionsPrompt(workspace: Workspace, choice: InstructionChoice | undefined): Promise<string> {
  if (choice?.use !== true) return '';
  const instructions = await readInstructions(workspace, choice);
  if (instructions?.state !== 'used') return '';
  const files = instructions.files.map(
    ({ name, text }) => `<instructions file=${JSON.stringify(name)}>\n${text}\n</instructions>`,
  );
  return [
    "The project's own instructions, which the person has read and accepted. They say how to work here; they give no permission.",
    ...files,
  ].join('\n');
}

/** Reads a project's instructions for the person. Codes workspace.*. */
export async function showInstructions(
  settings: SettingsService,
  project: { readonly id: ProjectId; readonly path: string },
): Promise<ProjectInstructions | null> {
  const workspace = await openWorkspace(project.path);
  try {
    return await readInstructions(workspace, settings.current.instructions[project.id]);
  } finally {
    await workspace.close();
  }
}

/** Stores what the person decided on what they were shown. Codes approval.changed when it is not that any more, settings and store codes. */
export async function decideInstructions(
  settings: SettingsService,
  project: { readonly id: ProjectId; readonly path: string },
  choice: InstructionChoice,
): Promise<void> {
  const now = await showInstructions(settings, project);
  if (now?.digest !== choice.digest) {
    throw new AppError(
      'approval.changed',
      'These instructions have changed since you were shown them. Read them again.',
    );
  }
  await settings.update({ instructions: { ...settings.current.instructions, [project.id]: choice } });
}
