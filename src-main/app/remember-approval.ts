// What "always in this project" stores: a rule on exactly the bytes that were shown, marked as remembered, so that all of
// them can be looked at and taken back together. Offered only where the settings say so, and never for what asks each time.
import { AppError } from '../base/app-error.ts';
import type { Approval } from '../contract/session.ts';
import type { Rule, Settings } from '../contract/settings.ts';

/** approval.not-grantable unless answers may be remembered, and this one is about the very bytes that were shown. */
export function assertRemembers(settings: Settings, changedArguments: string | undefined): void {
  if (!settings.rememberApprovals) {
    throw new AppError('approval.not-grantable', 'Remembering answers is off. Switch it on in the permissions first.');
  }
  if (changedArguments !== undefined) {
    throw new AppError('approval.not-grantable', 'What was changed can be allowed once only.');
  }
}

/** The rule that an answer leaves, for this project alone; null when only one-shot answers are taken, or it is too long. */
export function rememberedRule(approval: Approval, projectId: string, id: string): Rule | null {
  const { grant, preview } = approval;
  if (grant === null) return null;
  const match =
    preview.type === 'command' ? `shell:${preview.command}` : preview.type === 'diff' ? `write:${preview.path}` : null;
  if (match === null || match.length > 8192) return null;
  return { id, effect: 'allow', match, project: projectId, remembered: true };
}
