// Completes what follows an `@` in the composer: paths of the project by git's ignore rules. A listing is kept for a few
// seconds, since every letter asks again.
import { openWorkspace } from '../tools/workspace/open-workspace.ts';
import { rankPaths } from './projects-service.ts';

const KEPT_MS = 5_000;
const LISTED_PATHS = 50_000;
const WALK_MS = 5_000;

let kept: { root: string; atMs: number; paths: Promise<string[]> } | null = null;

/** At most 50 paths, best first. */
export async function completeFiles(root: string, query: string): Promise<string[]> {
  const nowMs = Date.now();
  if (kept?.root !== root || nowMs - kept.atMs > KEPT_MS) kept = { root, atMs: nowMs, paths: listPaths(root) };
  return rankPaths(await kept.paths, query);
}

async function listPaths(root: string): Promise<string[]> {
  const workspace = await openWorkspace(root);
  const paths: string[] = [];
  try {
    await workspace.walk(
      workspace.parse('.'),
      { globalRules: '', skipFolders: ['node_modules'] },
      {
        signal: AbortSignal.timeout(WALK_MS),
        found: (batch) => {
          paths.push(...batch);
          return paths.length < LISTED_PATHS;
        },
      },
    );
  } finally {
    await workspace.close();
  }
  return paths;
}
