// Which languages a project is written in, counted by the extensions of its files.

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  cts: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  py: 'Python',
  pyi: 'Python',
  rs: 'Rust',
  go: 'Go',
  java: 'Java',
  kt: 'Kotlin',
  kts: 'Kotlin',
  scala: 'Scala',
  c: 'C',
  h: 'C',
  cc: 'C++',
  cpp: 'C++',
  cxx: 'C++',
  hpp: 'C++',
  hh: 'C++',
  cs: 'C#',
  fs: 'F#',
  swift: 'Swift',
  m: 'Objective-C',
  rb: 'Ruby',
  php: 'PHP',
  pl: 'Perl',
  lua: 'Lua',
  r: 'R',
  jl: 'Julia',
  dart: 'Dart',
  ex: 'Elixir',
  exs: 'Elixir',
  erl: 'Erlang',
  hs: 'Haskell',
  ml: 'OCaml',
  clj: 'Clojure',
  zig: 'Zig',
  nim: 'Nim',
  sh: 'Shell',
  bash: 'Shell',
  ps1: 'PowerShell',
  html: 'HTML',
  css: 'CSS',
  scss: 'CSS',
  less: 'CSS',
  vue: 'Vue',
  svelte: 'Svelte',
  sql: 'SQL',
  proto: 'Protocol Buffers',
  md: 'Markdown',
  mdx: 'Markdown',
  rst: 'reStructuredText',
  json: 'JSON',
  yaml: 'YAML',
  yml: 'YAML',
  toml: 'TOML',
  xml: 'XML',
};

function languageOf(path: string): string | null {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  if (/\.d\.[cm]?ts$/.test(name)) return 'TypeScript declarations';
  if (name.endsWith('.map')) return 'source maps';
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  return extension === undefined ? null : (LANGUAGES[extension] ?? null);
}

/** Languages with their number of files, most files first, names in order where the numbers are the same. */
export function countLanguages(paths: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = languageOf(path);
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
