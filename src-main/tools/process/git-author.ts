// The person's name and address for commits made by fenced commands, which do not see the home folder: read once from
// git's own configuration and handed on as variables. Nothing else of that configuration is.
import { execFile } from 'node:child_process';
import { childEnvironment } from './child-environment.ts';
import type { EnvironmentSource } from './child-environment.ts';

const known = new Map<string, Promise<Record<string, string>>>();

function readAuthor(source: EnvironmentSource): Promise<Record<string, string>> {
  return new Promise((resolve) => {
    const list = ['config', '--global', '--null', '--get-regexp', '^user\\.(name|email)$'];
    const options = { env: childEnvironment(source), cwd: '/', timeout: 3000, encoding: 'utf8' as const };
    // Without git, or without an author, there is nothing to hand on, and git will say so itself.
    execFile('git', list, options, (_error, stdout) => {
      const pairs = stdout.split('\0').flatMap((record) => {
        const end = record.indexOf('\n');
        return end < 0 ? [] : [[record.slice(0, end), record.slice(end + 1)] as const];
      });
      const variables: Record<string, string> = {};
      for (const [index, [key, value]] of pairs.entries()) {
        variables[`GIT_CONFIG_KEY_${index}`] = key;
        variables[`GIT_CONFIG_VALUE_${index}`] = value;
      }
      resolve(pairs.length === 0 ? {} : { GIT_CONFIG_COUNT: String(pairs.length), ...variables });
    });
  });
}

/** Variables that give git the person's author; empty when there is none. Read once a home folder. */
export function gitAuthorVariables(source: EnvironmentSource): Promise<Record<string, string>> {
  const author = known.get(source.home) ?? readAuthor(source);
  known.set(source.home, author);
  return author;
}
