// The tools of one chat: its folder opened through the door, and the built-in tools over it.
import type { InstructionChoice } from '../contract/instructions.ts';
import type { Tool, WorkspaceIdentity } from '../engine/ports.ts';
import { ALL_GROUPS, createBuiltinTools } from '../tools/builtin-tools.ts';
import type { HeldShells } from '../tools/shell-session.ts';
import type { SearchProvider } from '../tools/web/search-provider.ts';
import { openWorkspace } from '../tools/workspace/open-workspace.ts';
import type { AppContext } from './app-context.ts';
import { createPathJudge } from './path-judge.ts';
import { readProjectFile, type ProjectFile } from './project-file.ts';

export interface SessionTools {
  readonly tools: readonly Tool[];
  readonly identity: WorkspaceIdentity;
  /** What the folder's own file narrows; null = it has none. */
  readonly projectFile: ProjectFile | null;
  /** The shells that stay between calls; null = there is no tool for them. */
  readonly shells: HeldShells | null;
  /** The project's instructions, as far as they were accepted, for the system prompt; '' = none. */
  instructions(choice: InstructionChoice | undefined): Promise<string>;
  /** Ends the shells that stay between calls. */
  endShells(): Promise<void>;
  /** Removes what a cut change of a file left beside it; gives names under which another party's bytes were kept. */
  sweep(path: string, base: string | null): Promise<readonly string[]>;
  /** Lets the folder and its worker go; a mutation that has begun ends first. */
  close(): Promise<void>;
}

/** The search service that the person named; loaded only then. */
async function searchProvider(address: string): Promise<SearchProvider | undefined> {
  if (address === '') return undefined;
  const { searxngSearch } = await import('../tools/web/searxng-search.ts');
  return searxngSearch(address);
}

/** Opens the folder of a chat and makes its tools; of one that is not saved no output is kept. Codes workspace.*. */
export async function openSessionTools(
  context: AppContext,
  chat: { readonly projectPath: string; readonly saved: boolean },
): Promise<SessionTools> {
  const workspace = await openWorkspace(chat.projectPath);
  // The settings switch each of them; a chat gets those that are on.
  const { tools, shells } = createBuiltinTools(
    {
      workspace,
      process: context.shellEnvironment,
      outputFolder: chat.saved ? context.outputFolder : null,
      version: context.version,
      paths: createPathJudge(context.settings.current.secretPatterns),
      confiner: context.confiner,
      search: await searchProvider(context.settings.current.searchUrl),
      lastRead: (id, path) => context.lastVersion(id, path),
    },
    ALL_GROUPS,
  );
  const projectFile = await readProjectFile(workspace);
  return {
    ...{ tools, identity: workspace.identity, projectFile, shells },
    sweep: async (path, base) => (await workspace.sweep(workspace.parse(path), base)).kept,
    instructions: async (choice) => {
      if (choice?.use !== true) return '';
      const { instructionsPrompt } = await import('./project-instructions.ts');
      return instructionsPrompt(workspace, choice);
    },
    endShells: async () => shells?.endAll(),
    close: async () => {
      if (shells !== null) shells.onChange = null;
      await shells?.endAll();
      await workspace.close();
    },
  };
}
