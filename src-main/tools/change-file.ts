// What write_file and edit_file share: find the base that the session knows, plan the change, show it, publish it.
// Invariant: what is published was worked out from bytes with the very digest that the verdict is bound to.
import { AppError } from '../base/app-error.ts';
import type { Effect } from '../contract/authority.ts';
import type { Preview } from '../contract/entries.ts';
import type { ToolContext, ToolOutcome } from '../engine/ports.ts';
import { succeeded } from './define-tool.ts';
import type { Prepared } from './define-tool.ts';
import { isFreeToRead, pathGrant, writeEffects } from './path-effects.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';
import type { MatchKind } from './workspace/apply-edits.ts';
import { WHOLE_FILE_BYTES } from './workspace/file-limits.ts';
import type { ChangePlan, ChangeRequest } from './workspace/plan-change.ts';
import type { DoorPath, FileContent } from './workspace/workspace-door.ts';

/** A change that was asked for, before anything is known of the file. */
export interface ChangeCall {
  readonly tool: 'write_file' | 'edit_file';
  readonly at: DoorPath;
  readonly request: ChangeRequest;
}

/** A change worked out: the base it was worked out from (null = a new file) and what it becomes. */
interface KnownChange {
  readonly type: 'known';
  readonly base: FileContent | null;
  readonly plan: ChangePlan;
}

/** A change of a file that may not be looked at before it is allowed: it stands on the version that the session read. */
interface BlindChange {
  readonly type: 'blind';
  readonly version: string | null;
}

/** What `run` gets. */
export interface ChangeState {
  readonly call: ChangeCall;
  readonly change: KnownChange | BlindChange;
}

const readFirst = (shown: string): AppError =>
  new AppError('workspace.conflict', `${shown} exists and was not read in this chat. Read it first, then change it.`);

/** The file as it is now; null when nothing is there. workspace.is-link and others for what is no file. */
async function currentFile(settings: BuiltinToolSettings, at: DoorPath): Promise<FileContent | null> {
  const state = await settings.workspace.stat(at);
  return state === null ? null : settings.workspace.read(at, WHOLE_FILE_BYTES);
}

/** Plans on the file as it is now, which must be the version that the session knows. */
async function planKnown(settings: BuiltinToolSettings, call: ChangeCall, known: string | null): Promise<KnownChange> {
  const base = await currentFile(settings, call.at);
  if (base !== null && known === null) throw readFirst(call.at.shown);
  if (base !== null && base.version.sha256 !== known) throw await changedSince(settings, call, base);
  if (base === null && known !== null && call.request.type === 'content') {
    throw new AppError('workspace.conflict', `${call.at.shown} was deleted since it was read. Nothing was written.`);
  }
  const plan = await settings.workspace.plan(call.at.shown, base?.bytes ?? null, call.request);
  return { type: 'known', base, plan };
}

/** The refusal for a file that changed, with what the call would do to it as it is now, where that can be shown. */
async function changedSince(settings: BuiltinToolSettings, call: ChangeCall, base: FileContent): Promise<AppError> {
  const said = `${call.at.shown} changed since it was read in this chat. Nothing was written; read it again first.`;
  if (call.request.type !== 'content') return new AppError('workspace.conflict', said);
  const plan = await settings.workspace.plan(call.at.shown, base.bytes, call.request).catch(() => null);
  const shown = plan === null ? '' : `\nFrom the file as it is now to the content given:\n${plan.diff.slice(0, 8000)}`;
  return new AppError('workspace.conflict', said + shown);
}

/** What a person sees of a change whose base may not be read yet: the new text, or each replacement. */
function blindDiff(call: ChangeCall): Preview {
  const lines = (sign: string, text: string): string[] => text.split('\n').map((line) => sign + line);
  const body =
    call.request.type === 'content'
      ? lines('+', call.request.content)
      : call.request.edits.flatMap((edit) => ['@@ @@', ...lines('-', edit.oldString), ...lines('+', edit.newString)]);
  const count = (sign: string): number => body.filter((line) => line.startsWith(sign)).length;
  return {
    type: 'diff',
    path: call.at.shown,
    diff: [`--- a/${call.at.shown}`, `+++ b/${call.at.shown}`, ...body].join('\n'),
    added: count('+'),
    removed: count('-'),
    created: false,
  };
}

function knownDiff(call: ChangeCall, { base, plan }: KnownChange): Preview {
  const { diff, added, removed } = plan;
  return { type: 'diff', path: call.at.shown, diff, added, removed, created: base === null };
}

const verb = (call: ChangeCall, created: boolean): string =>
  call.tool === 'edit_file' ? 'Edit' : created ? 'Create' : 'Write';

/** Everything about a change, with nothing done yet. Refuses what could not be carried out. */
export async function prepareChange(
  settings: BuiltinToolSettings,
  call: ChangeCall,
  context: ToolContext,
): Promise<Prepared<ChangeState>> {
  if (call.at.parts.length === 0)
    throw new AppError('workspace.not-a-file', `${call.at.shown} is a folder, not a file.`);
  const effects: readonly Effect[] = writeEffects(call.at, settings.paths);
  const known = settings.lastRead(context.sessionId, call.at.shown);
  const change = isFreeToRead(call.at, settings.paths)
    ? await planKnown(settings, call, known)
    : ({ type: 'blind', version: known } as const);
  const created = change.type === 'known' && change.base === null;
  const digests =
    change.type === 'known'
      ? {
          before: change.base?.version.sha256 ?? null,
          after: change.plan.after,
          mode: change.base?.version.mode ?? null,
        }
      : { before: change.version, request: call.request };
  return {
    summary: `${verb(call, created)} ${call.at.shown}`,
    effects,
    preview: change.type === 'known' ? knownDiff(call, change) : blindDiff(call),
    effect: { path: call.at.shown, ...digests },
    grant: pathGrant(call.tool, call.at, effects),
    confined: false,
    state: { call, change },
  };
}

function describeMatches(matches: readonly MatchKind[], replaced: number): string {
  const loose = [...new Set(matches.filter((kind) => kind !== 'exact'))];
  const many = replaced > matches.length ? `, ${replaced} places` : '';
  return loose.length === 0 ? many : `${many}, matched although ${loose.join(' and ')}`;
}

/** Carries out a prepared change. workspace.conflict when the base is another one meanwhile. */
export async function runChange(settings: BuiltinToolSettings, state: ChangeState): Promise<ToolOutcome> {
  const { call, change } = state;
  const { base, plan } = change.type === 'known' ? change : await planKnown(settings, call, change.version);
  const { version, atomic, madeFolders } = await settings.workspace.publish(call.at, plan.bytes, base?.version ?? null);
  const made = madeFolders.length > 0 ? `, made ${madeFolders.join(', ')}` : '';
  const notAtomic = atomic
    ? ''
    : ' (this file system cannot swap files in one step; the file was compared right before)';
  const done = call.tool === 'edit_file' ? 'Edited' : base === null ? 'Created' : 'Wrote';
  const content = `${done} ${call.at.shown}: +${plan.added} -${plan.removed}${describeMatches(plan.matches, plan.replaced)}${made}${notAtomic}`;
  const { diff, added, removed } = plan;
  return succeeded(content, { version: version.sha256 }, [
    { path: call.at.shown, before: base?.version.sha256 ?? null, after: version.sha256, diff, added, removed },
  ]);
}
