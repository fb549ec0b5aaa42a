// Which paths are likely secrets and which are protected: the policy's two lists as the one judge that tools are given.
import { isProtectedPath } from '../policy/protected-paths.ts';
import { createSecretPaths } from '../policy/secret-paths.ts';
import type { PathJudge } from '../tools/tool-settings.ts';

/** The judge; `secretPatterns` are the person's further globs. */
export function createPathJudge(secretPatterns: readonly string[]): PathJudge {
  return { isSecret: createSecretPaths(secretPatterns), isProtected: isProtectedPath };
}
