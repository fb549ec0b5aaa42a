// Unpacks the headless Chromium of @sparticuz/chromium with its libraries, fonts and a font configuration of our own,
// so that a machine with nothing but npm can run the end-to-end tests.
// Invariant: the folder appears whole, under its version's name, or not at all.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { BrowserSearch } from './find-browser.ts';
import { root } from './run-command.ts';

const archives = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'];

/** The package's own configuration names one fixed folder only; without fonts text has no size. */
const fontsConf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
</fontconfig>
`;

/** Sets what this browser needs for itself alone: the tests' other programs keep the system's libraries. */
const launcher = (folder: string): string => `#!/bin/sh
LD_LIBRARY_PATH='${folder}/al2023/lib' FONTCONFIG_PATH='${folder}/fonts' exec '${folder}/chromium' "$@"
`;

async function unpackInto(folder: string, packageFolder: string): Promise<void> {
  const before = process.env['TMPDIR'];
  mkdirSync(folder, { recursive: true });
  // inflate() writes to os.tmpdir(), which is read at each call.
  process.env['TMPDIR'] = folder;
  try {
    const { inflate } = await import('@sparticuz/chromium');
    await Promise.all(archives.map((name) => inflate(path.join(packageFolder, 'bin', name))));
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** Unpacks once (about 3 s, 210 MB, into node_modules/.cache) and gives the program to start. */
export async function unpackChromium(): Promise<BrowserSearch> {
  const packageFolder = path.join(root, 'node_modules/@sparticuz/chromium');
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(packageFolder)) {
    return { missing: 'no Chromium, Chrome or Edge in PATH, and none can be unpacked here: set WARRANT_CHROMIUM' };
  }
  const manifest: unknown = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8'));
  const { version } = z.object({ version: z.string() }).parse(manifest);
  const folder = path.join(root, 'node_modules/.cache', `chromium-${version}`);
  if (!existsSync(folder)) {
    const partial = `${folder}.${String(process.pid)}.partial`;
    await unpackInto(partial, packageFolder);
    try {
      renameSync(partial, folder);
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      // Another run may have been first; its folder is as good as ours.
      if (!existsSync(folder)) throw error;
    }
  }
  writeFileSync(path.join(folder, 'fonts/fonts.conf'), fontsConf(folder));
  const start = path.join(folder, 'start-chromium');
  writeFileSync(start, launcher(folder), { mode: 0o755 });
  return {
    env: { WARRANT_CHROMIUM: start },
    from: `@sparticuz/chromium ${version}, unpacked into node_modules/.cache`,
  };
}
