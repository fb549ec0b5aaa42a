// The person's settings: one JSON file, published whole (temp, sync, rename). A damaged file is kept aside and never
// overwritten; defaults hold until then. zod is loaded only when there is a file to read or a change to check.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../base/app-error.ts';
import { Emitter } from '../base/emitter.ts';
import type { Settings, SettingsPatch } from '../contract/settings.ts';
import { assertPermissionAllowed, assertRuleAllowed } from '../policy/rule-match.ts';
import { initialSettings } from './initial-settings.ts';

export class SettingsService {
  readonly changed = new Emitter<Settings>();
  readonly #file: string;
  #settings: Settings;
  /** What to tell at start; null = all is well. */
  readonly problem: string | null;

  private constructor(file: string, settings: Settings, problem: string | null) {
    this.#file = file;
    this.#settings = settings;
    this.problem = problem;
  }

  /** Reads the settings of a data folder. Never rejects for what is in the file. */
  static async open(folder: string): Promise<SettingsService> {
    const file = path.join(folder, 'settings.json');
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      return new SettingsService(file, initialSettings(), null);
    }
    const { settingsSchema } = await import('../contract/settings.ts');
    const json = parseJson(text);
    const parsed = settingsSchema.safeParse(json);
    if (parsed.success) return new SettingsService(file, withRulesInUse(parsed.data, json), null);
    const kept = `${file}.damaged-${String(Date.now())}`;
    const where = keepAside(file, kept) ? `It was kept as ${kept}.` : 'It could not be moved and is left as it is.';
    const issue = parsed.error.issues[0];
    const what = json === undefined || !issue ? 'it is not valid JSON' : `${issue.path.join('.')}: ${issue.message}`;
    return new SettingsService(
      file,
      initialSettings(),
      `Your settings file could not be read (${what}). ${where} Warrant uses its defaults until you change a setting.`,
    );
  }

  /** Where all of it is stored, absolute; rules and remembered answers too. */
  get file(): string {
    return this.#file;
  }

  get current(): Settings {
    return this.#settings;
  }

  /** Changes a part, durably. Codes settings.rule-refused, store.disk-full, store.read-only, store.io. */
  async update(patch: SettingsPatch): Promise<Settings> {
    const { settingsSchema } = await import('../contract/settings.ts');
    const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    const next = settingsSchema.parse({ ...this.#settings, ...given });
    for (const rule of next.rules) assertRuleAllowed(rule);
    for (const [tool, permission] of Object.entries(next.tools)) assertPermissionAllowed(tool, permission);
    writeWhole(this.#file, JSON.stringify(next, null, 2) + '\n');
    this.#settings = next;
    this.changed.emit(next);
    return next;
  }
}

/** A file from before rules could be switched off has its rules in use. */
function withRulesInUse(settings: Settings, json: unknown): Settings {
  const said = typeof json === 'object' && json !== null && 'useRules' in json;
  return said || settings.rules.length === 0 ? settings : { ...settings, useRules: true };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keepAside(file: string, kept: string): boolean {
  try {
    renameSync(file, kept);
    return true;
  } catch {
    return false;
  }
}

/** The file is either its old bytes or its new bytes after any crash. */
export function writeWhole(file: string, text: string | Buffer): void {
  const temp = `${file}.${String(process.pid)}.tmp`;
  try {
    const fd = openSync(temp, 'w', 0o600);
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temp, file);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    const denied = code === 'EROFS' || code === 'EACCES' || code === 'EPERM';
    const reason = full ? 'the disk is full' : denied ? 'the data folder cannot be written' : code || 'the disk failed';
    throw new AppError(
      full ? 'store.disk-full' : denied ? 'store.read-only' : 'store.io',
      `Nothing was changed: ${reason}. Make it writable and try again.`,
      { cause, details: { file } },
    );
  }
}
