// What the parts of the app share: made once by create-app, handed down, never global.
import type { Logger } from '../base/logger.ts';
import type { AuthorityChange } from '../contract/authority.ts';
import type { Outcome } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import type { Approval } from '../contract/session.ts';
import type { Rule, ToolPermission } from '../contract/settings.ts';
import type { Approver, Asker } from '../engine/ports.ts';
import type { ProcessConfiner } from '../tools/process/process-confiner.ts';
import type { Store } from '../store/store.ts';
import type { CheckpointsService } from './checkpoints-service.ts';
import type { EventHub } from './event-hub.ts';
import type { ModelsService } from './models-service.ts';
import type { PendingApprovals } from './pending-approvals.ts';
import type { SessionHistory } from './session-history.ts';
import type { SettingsService } from './settings-service.ts';
import type { ShellEnvironment } from './shell-environment.ts';

export interface AppContext {
  readonly version: string;
  readonly logger: Logger;
  readonly store: Store;
  readonly settings: SettingsService;
  readonly models: ModelsService;
  readonly events: EventHub;
  readonly confiner: ProcessConfiner;
  readonly outputFolder: string;
  readonly shellEnvironment: ShellEnvironment;
  /** Domain-separated digests of PATH and HOME as commands see them (AUTH-09). */
  readonly environmentDigests: { readonly path: string; readonly home: string };
  /** Rules of this process alone (`--allow`). */
  readonly extraRules: readonly Rule[];
  /** Puts another approver in front (the terminal); absent = windows answer. */
  readonly approverFor?: ((approvals: PendingApprovals) => Approver) | undefined;
  /** Who answers what models ask: null = nobody can; absent = windows. */
  readonly asker?: Asker | null | undefined;
  /** Folds of loaded sessions. */
  readonly histories: Map<SessionId, SessionHistory>;
  /** What the settings would add to a loaded session. */
  readonly offers: Map<SessionId, AuthorityChange[]>;
  readonly checkpoints: CheckpointsService;
  permission(tool: string): ToolPermission;
  /** The version of a file that a session saw last. */
  lastVersion(id: SessionId, path: string): string | null;
  sessionChanged(id: SessionId): void;
  approvalAsked(approval: Pick<Approval, 'summary'>): void;
  turnEnded(id: SessionId, outcome: Outcome): void;
}
