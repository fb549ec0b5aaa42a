// The built command's entry: has Node keep what it compiles, so that later starts and first rounds need not compile it
// again, and only then loads the command. Leaves everything else to main.ts.
import { mkdirSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { dataFolder } from '../app/data-folder.ts';

const [word] = process.argv.slice(2);
// Words about the command itself, and a run that is to write nothing, leave nothing behind.
if ((word === 'run' || word === 'resume') && !process.argv.includes('--ephemeral')) {
  const folder = dataFolder();
  try {
    // Before Node makes it: the folder is the person's alone from its beginning.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    module.enableCompileCache(path.join(folder, 'cache', 'node'));
  } catch {
    // The command itself says what is wrong with the folder, and what to do.
  }
}
await import('./main.ts');
