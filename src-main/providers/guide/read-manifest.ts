// Facts of a package manifest, from its text: what the project calls itself and how it is run. Never throws.
import { isObject } from '../wire-traits.ts';

export interface Manifest {
  /** The file it came from. */
  readonly file: string;
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Named commands of the project. */
  readonly scripts: readonly (readonly [string, string])[];
  /** Names of run-time dependencies. */
  readonly dependencies: readonly string[];
  /** How its tests are run, empty when the manifest does not tell. */
  readonly testCommand: string;
}

/** Manifests in the order in which they are looked for. */
export const MANIFEST_FILES = ['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'composer.json', 'deno.json'];

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function parseObject(source: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(source);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function entriesOf(value: unknown): [string, string][] {
  return isObject(value) ? Object.entries(value).map(([key, item]) => [key, text(item)]) : [];
}

function fromJson(file: string, source: string): Manifest {
  const value = parseObject(source);
  const scripts = entriesOf(value['scripts'] ?? value['tasks']);
  const composer = file === 'composer.json';
  const tested = scripts.some(([name]) => name === 'test');
  return {
    file,
    ecosystem: composer ? 'PHP package' : file === 'deno.json' ? 'Deno project' : 'npm package',
    name: text(value['name']),
    version: text(value['version']),
    description: text(value['description']),
    scripts,
    dependencies: entriesOf(value[composer ? 'require' : 'dependencies']).map(([name]) => name),
    testCommand: tested ? (composer ? 'composer test' : file === 'deno.json' ? 'deno task test' : 'npm test') : '',
  };
}

/** The values of one table of a TOML text: strings, and lists of strings, on one line or several. */
function tomlTable(source: string, table: string): Map<string, string> {
  const start = source.search(new RegExp(`^\\[${table.replaceAll('.', '\\.')}\\]\\s*$`, 'm'));
  if (start < 0) return new Map();
  const body =
    source
      .slice(start)
      .replace(/^\[[^\n]*\n/, '')
      .split(/^\[(?!\s*["'])/m)[0] ?? '';
  const pairs = [...body.matchAll(/^\s*([\w."-]+)\s*=\s*(\[[^\]]*\]|[^\n]*)/gm)];
  return new Map(
    pairs.map(([, key = '', value = '']) => [key.replaceAll('"', ''), value.trim().replace(/^"(.*)"$/, '$1')]),
  );
}

function fromToml(file: string, source: string): Manifest {
  const rust = file === 'Cargo.toml';
  const own = tomlTable(source, rust ? 'package' : 'project');
  const table = own.size > 0 || rust ? own : tomlTable(source, 'tool.poetry');
  const listed = [...(table.get('dependencies') ?? '').matchAll(/"([\w.-]+)/g)].map(([, name = '']) => name);
  const tabled = [...tomlTable(source, rust ? 'dependencies' : 'tool.poetry.dependencies').keys()];
  return {
    file,
    ecosystem: rust ? 'Rust crate' : 'Python project',
    name: table.get('name') ?? '',
    version: table.get('version') ?? '',
    description: table.get('description') ?? '',
    scripts: [...tomlTable(source, 'project.scripts').entries()],
    dependencies: listed.length > 0 ? listed : tabled,
    testCommand: rust ? 'cargo test' : /pytest/.test(source) ? 'python3 -m pytest' : '',
  };
}

function fromGo(file: string, source: string): Manifest {
  const required = [...source.matchAll(/^\s*(?:require\s+)?([\w.-]+\.[\w./-]+)\s+v\S+(?!.*\/\/ indirect)/gm)];
  return {
    file,
    ecosystem: 'Go module',
    name: /^module\s+(\S+)/m.exec(source)?.[1] ?? '',
    version: '',
    description: '',
    scripts: [],
    dependencies: required.map(([, name = '']) => name),
    testCommand: 'go test ./...',
  };
}

/** The facts in a manifest's text; fields that it does not tell are empty. */
export function readManifest(file: string, source: string): Manifest {
  if (file.endsWith('.toml')) return fromToml(file, source);
  return file === 'go.mod' ? fromGo(file, source) : fromJson(file, source);
}
