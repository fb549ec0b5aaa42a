import { describe, expect, test } from 'vitest';
import { parseWish } from '../../../../src-main/providers/guide/parse-wish.ts';

const search = (query: string, folder: string | null = null) => ({ kind: 'search', query, folder });
const files = (name: string, folder: string | null = null) => ({ kind: 'find-files', name, folder });
const read = (path: string, from: number | null = null, to: number | null = null) => ({ kind: 'read', path, from, to });
const list = (folder = '.') => ({ kind: 'list', folder });
const write = (path: string, content: string) => ({ kind: 'write', path, content });
const run = (command: string) => ({ kind: 'run', command });
const replace = (before: string, after: string, path: string, all = false) => ({
  kind: 'replace',
  before,
  after,
  path,
  all,
});

const WISHES: readonly (readonly [string, object])[] = [
  ...[
    'summarise this project',
    'Summarize the repo',
    'summarise',
    'what is this project about?',
    'Please give me an overview of this codebase',
    'tell me about this project',
    'what does this project do?',
    'explain this project to me',
    'describe it',
    'summary',
    'Could you please summarize this repository for me?',
    'how is this project structured?',
  ].map((text) => [text, { kind: 'summarise' }] as const),
  ['find TODO', search('TODO')],
  ['Find "hello world"', search('hello world')],
  ['search for createModel', search('createModel')],
  ['grep createModel in src', search('createModel', 'src')],
  ['where is parseWish defined?', search('parseWish')],
  ['which files contain foo', search('foo')],
  ['find all uses of createModel in the src folder', search('createModel', 'src')],
  ['find "a in b" in src/a.ts', search('a in b', 'src/a.ts')],
  ['find the function parseWish', search('parseWish')],
  ['search the project for semver', search('semver')],
  ['search src for semver', search('semver', 'src')],
  ['look for FIXME in this project', search('FIXME')],
  ['find where version is set', search('version')],
  ['find files named config', files('config')],
  ['find file package.json', files('package.json')],
  ['where is README.md?', files('README.md')],
  ['find *.ts', files('*.ts')],
  ['find all *.md files in docs', files('*.md', 'docs')],
  ['read README.md', read('README.md')],
  ['read README.md.', read('README.md')],
  ['show me the file src/a.ts', read('src/a.ts')],
  ['open the readme', read('readme')],
  ['cat package.json', read('package.json')],
  ['what is in package.json?', read('package.json')],
  ['read lines 10-20 of src/a.ts', read('src/a.ts', 10, 20)],
  ['show src/a.ts lines 3 to 9', read('src/a.ts', 3, 9)],
  ['read line 5 of a.txt', read('a.txt', 5, 5)],
  ['display "my file.txt"', read('my file.txt')],
  ['read LICENSE please', read('LICENSE')],
  ['list files', list()],
  ['list the files in src', list('src')],
  ['what files are there?', list()],
  ['ls', list()],
  ['ls src', list('src')],
  ['show me all files', list()],
  ['what is in the folder src?', list('src')],
  ['replace foo by bar in a.txt', replace('foo', 'bar', 'a.txt')],
  ['replace "foo" with "bar baz" in README.md', replace('foo', 'bar baz', 'README.md')],
  ['Replace `a` by `b` in `c.txt`.', replace('a', 'b', 'c.txt')],
  ['replace “old” with “new” in the file notes.md', replace('old', 'new', 'notes.md')],
  ['change 1.0 to 2.0 in package.json', replace('1.0', '2.0', 'package.json')],
  ['in README.md replace foo with bar', replace('foo', 'bar', 'README.md')],
  ['In README.md, replace "a" with "b"', replace('a', 'b', 'README.md')],
  ['rename foo to bar in src/x.ts', replace('foo', 'bar', 'src/x.ts')],
  ['replace all foo by bar in a.txt', replace('foo', 'bar', 'a.txt', true)],
  ['replace every occurrence of x with y in z.js', replace('x', 'y', 'z.js', true)],
  ['replace foo with bar everywhere in a.txt', replace('foo', 'bar', 'a.txt', true)],
  ['please replace the word "cat" by "dog" in pets.txt', replace('cat', 'dog', 'pets.txt')],
  ['replace "by" by "with" in a.txt', replace('by', 'with', 'a.txt')],
  ['replace "x" with "" in a.txt', replace('x', '', 'a.txt')],
  ['remove "foo" from a.txt', replace('foo', '', 'a.txt')],
  ['create file hello.txt with hello', write('hello.txt', 'hello\n')],
  ['write file notes.md with "first note"', write('notes.md', 'first note\n')],
  ['create a file called a/b.txt containing the text: hi there', write('a/b.txt', 'hi there\n')],
  ['write "hi" to out.txt', write('out.txt', 'hi\n')],
  ['create an empty file x.txt', write('x.txt', '')],
  ['make a new file todo.md: buy milk', write('todo.md', 'buy milk\n')],
  ['please create a file t.js with\n```js\nconsole.log(1)\nrun()\n```', write('t.js', 'console.log(1)\nrun()\n')],
  ['run npm test', run('npm test')],
  ['$ ls -la', run('ls -la')],
  ['$ echo "a?" && true.', run('echo "a?" && true.')],
  ['run `git status`', run('git status')],
  ['execute the command echo hi', run('echo hi')],
  ['can you run npm run build?', run('npm run build')],
  ['run the tests', { kind: 'run-tests' }],
  ['help', { kind: 'help' }],
  ['what can you do?', { kind: 'help' }],
  ['Hi', { kind: 'help' }],
  ['', { kind: 'help' }],
  ['write me a poem about the sea', { kind: 'unknown' }],
  ['what is the meaning of life', { kind: 'unknown' }],
  ['refactor everything', { kind: 'unknown' }],
  ['why is the sky blue?', { kind: 'unknown' }],
];

describe('a wish in plain English', () => {
  test.each(WISHES)('%j is understood', (text, wish) => {
    expect(parseWish(text)).toEqual(wish);
  });

  test('a long text after "write FILE with" is kept whole', () => {
    const body = 'line of text\n'.repeat(20_000);
    expect(parseWish(`create the file long.txt with:\n${body}`)).toEqual(write('long.txt', body.trimEnd() + '\n'));
  });

  test.each([
    'replace a by '.repeat(300),
    `find ${'x '.repeat(1900)}`,
    `in ${'" '.repeat(1500)}`,
    'show lines 1 of '.repeat(240),
  ])('a text made to be slow is answered (%#)', (text) => {
    expect(parseWish(text)).toHaveProperty('kind');
  });
});
