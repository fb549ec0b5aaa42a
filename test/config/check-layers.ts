// Cruises the sources by the layer table (layers.cjs) and says each import that breaks it.
// Invariant: a cruise that saw fewer modules than there are source files is a failure, never a pass.
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cruise } from 'dependency-cruiser';
import type { ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser';

const table = createRequire(import.meta.url)('./layers.cjs') as {
  forbidden: (IForbiddenRuleType & { name: string })[];
  options: ICruiseOptions;
};

/** The names of all rules of the table, in its order. */
export const layerRules: readonly string[] = table.forbidden.map((rule) => rule.name);

/** One import that a rule forbids; `from` and `to` are paths relative to the root. */
export interface Breach {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

/** The breaches found, and the source files that the cruise did not look at (none, or the check has failed). */
export interface LayerReport {
  readonly breaches: readonly Breach[];
  readonly unseen: readonly string[];
  readonly modules: number;
}

/** Checks the sources below `root` (absolute path of a checkout or a copy of one, with its node_modules). */
export async function checkLayers(root: string): Promise<LayerReport> {
  const files = globSync('src-*/**/*.{ts,tsx,js}', { cwd: root }).filter((file) => !file.endsWith('.d.ts'));
  const folders = [...new Set(files.map((file) => file.split(path.sep)[0] ?? file))].sort();
  const result = await cruise(folders, {
    ...table.options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: table.forbidden },
  });
  if (typeof result.output === 'string')
    throw new TypeError('dependency-cruiser gave text where a result was expected');
  const { modules, summary } = result.output;
  const seen = new Set(modules.map((module) => module.source));
  return {
    breaches: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    unseen: files.map((file) => file.split(path.sep).join('/')).filter((file) => !seen.has(file)),
    modules: modules.filter((module) => module.source.startsWith('src-')).length,
  };
}

if (pathToFileURL(process.argv[1] ?? '').href === import.meta.url) {
  const report = await checkLayers(path.resolve(import.meta.dirname, '../..'));
  for (const { rule, from, to } of report.breaches) console.log(`${rule}: ${from} imports ${to}`);
  for (const file of report.unseen) console.log(`not looked at: ${file}`);
  console.log(`${report.modules} modules cruised`);
  process.exitCode = report.breaches.length + report.unseen.length > 0 || report.modules === 0 ? 1 : 0;
}
