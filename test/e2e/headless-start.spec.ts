// The built command's start, which needs no browser.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeShop } from './built-app.ts';
import { expect, test } from './fixture.ts';

const modeOf = (file: string): number => statSync(file).mode & 0o777;

test('the first start of the command makes a folder that is the person’s alone, and keeps what was compiled in it', ({
  warrant,
}) => {
  writeShop(warrant.project);
  expect(warrant.command(['--version']).status).toBe(0);
  expect(readdirSync(warrant.home)).not.toContain('.local');

  const made = warrant.command(['run', '--project', warrant.project, '--model', 'guide', 'summarise this project']);
  expect(made.stderr).not.toContain('Warning');
  expect(made.status).toBe(0);
  expect(modeOf(warrant.data)).toBe(0o700);
  expect(readdirSync(path.join(warrant.data, 'cache', 'node')).length).toBeGreaterThan(0);
});
