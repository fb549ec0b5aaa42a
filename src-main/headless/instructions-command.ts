// `warrant instructions`: what a project tells agents, as it is, and whether its chats use it. With `--use` or `--ignore` the
// very text that is printed is decided on.
import { decideInstructions, showInstructions } from '../app/project-instructions.ts';
import { openDataStore } from '../app/open-data-store.ts';
import { ProjectsService } from '../app/projects-service.ts';
import { SettingsService } from '../app/settings-service.ts';
import type { ProjectInstructions } from '../contract/instructions.ts';
import type { InstructionsCommand } from './parse-command.ts';
import { visibleText } from './visible-text.ts';

const STATE: Record<ProjectInstructions['state'], string> = {
  new: 'Nothing of this is used. Use it with --use, or decide against it with --ignore.',
  changed: 'It is not what was decided on before, so nothing of it is used. Decide with --use or --ignore.',
  used: 'The chats of this project use this.',
  declined: 'It was decided not to use this.',
};

/** Prints and decides. Codes project.*, workspace.*, approval.changed, store.*. */
export async function tellInstructions(dataFolder: string, command: InstructionsCommand): Promise<void> {
  const store = await openDataStore({ folder: dataFolder, thread: 'own' });
  try {
    const settings = await SettingsService.open(dataFolder);
    const project = await new ProjectsService(store).open(command.project);
    const found = await showInstructions(settings, project);
    if (found === null) {
      process.stdout.write('This project has no AGENTS.md and no CLAUDE.md that could be read.\n');
      return;
    }
    for (const { name, text, cut } of found.files) {
      const more = cut ? '\n[The file goes on; what follows is not used.]' : '';
      process.stdout.write(`${name}\n\n${visibleText(text)}${more}\n\n`);
    }
    if (command.use !== null) {
      await decideInstructions(settings, project, { digest: found.digest, use: command.use });
    }
    const state = command.use === null ? found.state : command.use ? 'used' : 'declined';
    process.stderr.write(`${STATE[state]}\n`);
  } finally {
    await store.close();
  }
}
