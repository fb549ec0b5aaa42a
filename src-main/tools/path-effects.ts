// What a call on a path would do, in the words of the gate: inside or outside, likely secret, protected.
import type { Effect, Grant } from '../contract/authority.ts';
import type { PathJudge } from './tool-settings.ts';
import type { DoorPath } from './workspace/workspace-door.ts';

/** The effects of reading at a path; the strictest decides. */
export function readEffects(at: DoorPath, paths: PathJudge): Effect[] {
  const effects: Effect[] = [];
  if (at.base === 'filesystem') effects.push({ kind: 'read-outside', target: at.shown });
  if (paths.isSecret(at.shown)) effects.push({ kind: 'read-secret', target: at.shown });
  return effects.length > 0 ? effects : [{ kind: 'read-inside', target: at.shown }];
}

/** The effects of changing the file at a path: a secret's diff shows its content, so that is a read of it as well. */
export function writeEffects(at: DoorPath, paths: PathJudge): Effect[] {
  const effects: Effect[] = [];
  if (at.base === 'filesystem') effects.push({ kind: 'write-outside', target: at.shown });
  else if (paths.isProtected(at.shown)) effects.push({ kind: 'write-protected', target: at.shown });
  else effects.push({ kind: 'write-inside', target: at.shown });
  if (paths.isSecret(at.shown)) effects.push({ kind: 'read-secret', target: at.shown });
  return effects;
}

/** Whether a path may be read without asking, so that `prepare` may look at it. */
export function isFreeToRead(at: DoorPath, paths: PathJudge): boolean {
  return at.base === 'root' && !paths.isSecret(at.shown);
}

/** The session grant for the same tool on the same file; null where only one-shot answers are taken. */
export function pathGrant(tool: string, at: DoorPath, effects: readonly Effect[]): Grant | null {
  const plain = effects.every(({ kind }) => kind === 'read-inside' || kind === 'write-inside');
  return plain ? { tool, covers: at.shown, describes: `${tool} on ${at.shown}` } : null;
}
