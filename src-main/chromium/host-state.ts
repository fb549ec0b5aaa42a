// What the parts of the host share: who the application is, its folders, and its switches. No behaviour.

/** Filled by the launcher part before the application's main module is loaded. */
export interface HostIdentity {
  /** Display name, from productName or name of package.json. */
  name: string;
  version: string;
  /** The folder that holds package.json. */
  path: string;
}

/** The one identity of this process. */
export const identity: HostIdentity = { name: 'Electron', version: '0.0.0', path: process.cwd() };

/** Folders that the application set by `app.setPath`. */
export const pathOverrides = new Map<string, string>();

/** Switches that the application appended by `app.commandLine`, given to the browser at its start. */
export const browserSwitches = new Map<string, string>();

/** True where no window can be seen: asked for by WARRANT_HEADLESS=1, or no display on a system that needs one. */
export function isHeadless(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (env['WARRANT_HEADLESS'] === '1') return true;
  const needsDisplay = platform !== 'win32' && platform !== 'darwin';
  return needsDisplay && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'];
}
