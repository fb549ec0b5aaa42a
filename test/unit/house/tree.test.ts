// The shape of the house: what lies at the top, one environment a folder, and words that do not belong in it.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../config/run-command.ts';

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const sources = globSync(
  ['src-*/**/*.{ts,tsx,js,css,html,json}', 'test/**/*.{ts,tsx,js,cjs,json,md}', 'resources/**/*.{md,txt,json,yml}'],
  { cwd: root, exclude: ['test/bench/rig/**'] },
).concat(['README.md', 'CHANGELOG.md', 'package.json', 'electron.vite.config.ts', '.ci/run']);

test('the top level holds what a reader expects there and nothing else', () => {
  const made = ['node_modules', 'out', 'release', 'test-results', 'playwright-report', 'coverage'];
  const names = readdirSync(root).filter((name) => !name.startsWith('.') && !made.includes(name));

  expect(names.sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'electron.vite.config.ts',
    'package-lock.json',
    'package.json',
    'resources',
    'src-main',
    'src-preload',
    'src-renderer',
    'test',
    'tsconfig.json',
  ]);
});

test('every folder of the sources says in a tsconfig of its own where its code runs', () => {
  const rooms = readdirSync(path.join(root, 'src-main'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const folders = [...rooms.map((room) => `src-main/${room.name}`), 'src-main', 'src-preload', 'src-renderer', 'test'];

  expect(folders.filter((folder) => !existsSync(path.join(root, folder, 'tsconfig.json')))).toEqual([]);
});

test.for([
  ['a path of one machine', /["'`( ]\/(?:work|var\/tmp)\//],
  ['something left for later', /(?:\/\/|\*|#|<!--)\s*(?:TODO|FIXME|XXX|HACK)\b/],
  ['a switched-off type check', /@ts-(?:ignore|nocheck)\b/],
] as const)('no file holds %s', ([, pattern]) => {
  const self = 'test/unit/house/tree.test.ts';
  expect(
    sources.filter((file) => file !== self && existsSync(path.join(root, file)) && pattern.test(read(file))),
  ).toEqual([]);
});

test('every path that the README names exists', () => {
  const text = read('README.md').replace(/```[\s\S]*?```/g, '');
  const linked = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) => match[1] ?? '');
  const quoted = [...text.matchAll(/`((?:src-[a-z]+|test|resources|\.ci)\/[\w./-]*)`/g)].map((match) => match[1] ?? '');
  const sourced = [...text.matchAll(/(?:src|srcset)="(?!https?:)([^"]+)"/g)].map((match) => match[1] ?? '');
  const named = [...linked, ...quoted, ...sourced];

  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('every script that the README names is in package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read('README.md').matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map((match) => match[1] ?? '');

  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('every dependency is pinned to one exact version', () => {
  type Versions = Record<string, string>;
  const manifest = JSON.parse(read('package.json')) as Record<string, Versions | undefined>;
  const versions = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((key) =>
    Object.entries(manifest[key] ?? {}),
  );

  expect(versions.filter(([, version]) => !/^(?:npm:[a-z]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
