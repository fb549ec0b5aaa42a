// Loads a chat: takes its lease, folds its entries, resolves its authority within what it had, closes what a crash cut,
// and shows again what still waits.
import { AppError } from '../base/app-error.ts';
import { newId } from '../base/new-id.ts';
import type { AuthorityChange } from '../contract/authority.ts';
import type { Entry, EntryData, EntryKind, NewEntry } from '../contract/entries.ts';
import type { EntryId, ProjectId, SessionId } from '../contract/ids.ts';
import { compareAuthority, resolveAuthority } from '../engine/authority.ts';
import { createSession } from '../engine/build-session.ts';
import { CONTEXT_TOOL_DECLARATIONS } from '../engine/context-tools.ts';
import type { Journal, Model, Tool } from '../engine/ports.ts';
import type { Session } from '../engine/session.ts';
import { ASK_USER, ASK_USER_DECLARATION } from '../engine/ask-user.ts';
import type { AppContext } from './app-context.ts';
import { chatShell } from './chat-shell.ts';
import { failingModel } from './failing-model.ts';
import { LiveSession } from './live-session.ts';
import { livePolicy } from './live-policy.ts';
import { contextOf } from './chat-context.ts';
import { knownTools, mayAskUser, mayReadAside } from './known-tools.ts';
import { PendingApprovals } from './pending-approvals.ts';
import { PendingQuestions } from './pending-questions.ts';
import { inspectFolder, shownPath } from './projects-service.ts';
import { narrowTo, settingLimits, toAuthorityView } from './session-authority.ts';
import type { SessionCheckpointer } from './session-checkpointer.ts';
import { SessionHistory } from './session-history.ts';
import { openSessionTools, type SessionTools } from './session-tools.ts';
import { systemClock } from './system-clock.ts';
import { systemPrompt } from './system-prompt.ts';

const ENDS_SHELLS: ReadonlySet<EntryKind> = new Set<EntryKind>(['mode', 'confinement', 'enabled-tools', 'rewind']);

export interface LoadInput {
  readonly id: SessionId;
  readonly projectId: ProjectId;
  readonly projectPath: string;
  /** false = nothing of it may be written anywhere. */
  readonly saved: boolean;
  /** The path from root to head; empty for a chat that is being made. */
  readonly entries: readonly Entry[];
  /** Take all that the settings give now, instead of at most what the chat had (the person asked for it). */
  readonly widen: boolean;
  readonly model: string;
}

/** Loads a chat whose lease is held. Codes project.gone, session.history-invalid, authority.invalid. */
export async function loadSession(context: AppContext, input: LoadInput): Promise<LiveSession> {
  const tools = await openProjectTools(context, input);
  try {
    return await build(context, input, tools);
  } catch (error) {
    await tools.close();
    throw error;
  }
}

/** The authority that a chat made now would have, and its first entries. */
export async function firstEntries(
  context: AppContext,
  input: { tools: SessionTools } & Pick<EntryData<'session-start'>, 'model' | 'mode' | 'confinement' | 'name'>,
): Promise<NewEntry[]> {
  const authority = await resolveAuthority({
    workspace: input.tools.identity,
    tools: [
      ...offered(context, input.tools.tools).map((tool) => tool.declaration),
      ...(mayAskUser(context.settings.current, null) ? [ASK_USER_DECLARATION] : []),
      ...CONTEXT_TOOL_DECLARATIONS,
    ],
    limits: settingLimits(context.settings.current),
    environment: context.environmentDigests,
  });
  const { model, mode, confinement, name } = input;
  return [
    entry('session-start', { model, mode, confinement, ...(name === undefined ? {} : { name }) }),
    entry('authority', { ...authority, cause: 'created', changes: [] }),
  ];
}

/** Opens the tools of a project's folder. Code project.gone. */
export async function openProjectTools(
  context: AppContext,
  input: Pick<LoadInput, 'id' | 'projectPath' | 'saved'>,
): Promise<SessionTools> {
  try {
    await inspectFolder(input.projectPath);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    throw new AppError(
      'project.gone',
      `The folder of this chat cannot be opened. ${reason} The chat can still be read.`,
      { cause },
    );
  }
  return openSessionTools(context, input);
}

function offered(context: AppContext, tools: readonly Tool[]): Tool[] {
  return tools.filter((tool) => context.permission(tool.declaration.name) !== 'off');
}

async function build(context: AppContext, input: LoadInput, tools: SessionTools): Promise<LiveSession> {
  const history = new SessionHistory();
  for (const one of input.entries) history.take(one);
  context.histories.set(input.id, history);
  const before = history.authority?.snapshot ?? null;
  const limits = settingLimits(context.settings.current);
  const now = { tools: offered(context, tools.tools), limits };
  const ceiling = narrowTo(input.widen ? null : before, now);
  const approvals = newApprovals(context, input);
  const questions = newQuestions(context, input.id);
  const checkpointer = checkpointerOf(context, input, tools);
  const instructions = await tools.instructions(context.settings.current.instructions[input.projectId]);
  const engine = await createSession(
    {
      sessionId: input.id,
      workspace: tools.identity,
      systemPrompt: systemPrompt({ path: input.projectPath, platform: process.platform, instructions }),
      limits: ceiling.limits,
      environment: context.environmentDigests,
      mode: context.settings.current.defaultMode,
      confinement: context.settings.current.confinement,
      history: input.entries,
      context: contextOf(context.settings),
      contextTools: mayReadAside(input.widen ? null : before),
      askUser: mayAskUser(context.settings.current, input.widen ? null : before),
      checkpoints: checkpointer !== null,
      ...enabledBefore(input.entries),
    },
    {
      clock: systemClock,
      model: await modelOf(context, input),
      tools: ceiling.tools,
      journal: journalOf(context, input),
      approver: context.approverFor?.(approvals) ?? approvals,
      asker: context.asker === undefined ? questions : context.asker,
      policy: livePolicy(context.settings, {
        toolNames: [...tools.tools.map((tool) => tool.declaration.name), ASK_USER],
        extraRules: context.extraRules,
        projectId: input.projectId,
        sessionId: input.id,
        root: tools.identity.path,
        projectFile: tools.projectFile,
        nowMs: () => systemClock.nowMs(),
      }),
      confiner: context.confiner,
      checkpointer,
    },
  );
  engine.on((event) => {
    if (event.type === 'turn-end' && event.outcome.type !== 'awaiting-approval') void checkpointer?.ended(event.turnId);
  });
  const drift = before ? compareAuthority(before, engine.authority) : [];
  const live = assemble(context, input, { tools, history, approvals, questions, engine, drift, now });
  // A shell that stays between calls was begun under the mode and the confinement of then (CONF-31).
  engine.on((event) => {
    if (event.type !== 'entries-append') return;
    if (!event.entries.some(({ kind }) => ENDS_SHELLS.has(kind))) return;
    void tools.endShells().catch((error: unknown) => {
      context.logger.error('a shell was not ended', error);
    });
  });
  await sweepCutChanges(context, { live, tools, changes: history.cutChanges() });
  await settleAfterOpen(context, { input, engine, approvals, drift, history });
  return live;
}

/** Keeps files for a chat that is saved, where the settings say so. */
function checkpointerOf(context: AppContext, input: LoadInput, tools: SessionTools): SessionCheckpointer | null {
  const { id: sessionId, projectId, entries, saved } = input;
  if (!saved || !context.settings.current.checkpoints) return null;
  return context.checkpoints.checkpointerFor({ sessionId, projectId, entries, identity: tools.identity });
}

/** Tools that a person switched off in this chat stay off. */
function enabledBefore(entries: readonly Entry[]): { enabledTools?: string[] } {
  const last = entries.findLast((one) => one.kind === 'enabled-tools');
  return last ? { enabledTools: last.data.tools } : {};
}

interface Pieces {
  readonly tools: SessionTools;
  readonly history: SessionHistory;
  readonly approvals: PendingApprovals;
  readonly questions: PendingQuestions;
  readonly engine: Session;
  readonly drift: AuthorityChange[];
  readonly now: { tools: Tool[]; limits: ReturnType<typeof settingLimits> };
}

function assemble(context: AppContext, input: LoadInput, pieces: Pieces): LiveSession {
  const { tools, history, approvals, questions, engine, drift } = pieces;
  const lapsedGrants = [...history.grants.values()];
  return new LiveSession({
    id: input.id,
    projectPath: input.projectPath,
    engine,
    approvals,
    questions,
    shell: chatShell(context, input.id, tools),
    history,
    entries: [...input.entries],
    drift: input.widen ? [] : drift,
    lapsedGrants,
    authorityView: (live) =>
      toAuthorityView({
        session: live.engine,
        settings: context.settings.current,
        confiner: context.confiner,
        generation: history.authority?.generation ?? 1,
        drift: live.drift,
        offer: context.offers.get(input.id) ?? [],
        lapsedGrants,
        projectFile: tools.projectFile,
      }),
    publish: (event) => {
      context.events.publish(input.id, event);
    },
    wantsTitle: () => context.settings.current.automaticTitles,
    onChange: () => {
      context.sessionChanged(input.id);
    },
    onTurnEnd: (outcome) => {
      context.turnEnded(input.id, outcome);
    },
    release: async () => {
      context.histories.delete(input.id);
      context.offers.delete(input.id);
      await tools.close();
      await context.store.release(input.id, process.pid);
    },
  });
}

/** What a crash left beside files goes before anything runs; what of it is another party's is kept, and said. */
async function sweepCutChanges(
  context: AppContext,
  cut: { live: LiveSession; tools: SessionTools; changes: ReturnType<SessionHistory['cutChanges']> },
): Promise<void> {
  for (const { path, base } of cut.changes) {
    try {
      const kept = await cut.tools.sweep(path, base);
      if (kept.length === 0) continue;
      const words = `While ${path} was changed, something else changed it too, and Warrant ended then. The other version is kept beside it as ${kept.join(', ')}.`;
      cut.live.notice('warning', words);
    } catch (error) {
      context.logger.error('what a cut change left was not removed', error);
    }
  }
}

/** What changed, what was cut and what waits is settled before anything runs. */
async function settleAfterOpen(
  context: AppContext,
  loaded: {
    input: LoadInput;
    engine: Session;
    approvals: PendingApprovals;
    drift: AuthorityChange[];
    history: SessionHistory;
  },
): Promise<void> {
  const { input, engine, approvals, drift, history } = loaded;
  const cause = input.widen ? 'updated' : 'resumed';
  if (drift.length > 0) {
    const facts = { snapshot: engine.authority, digest: engine.authorityDigest };
    await engine.record([entry('authority', { ...facts, cause, changes: drift })]);
  }
  // Grants end with the process that gave them; the chat says so once.
  const grants = [...history.unlapsed];
  if (grants.length > 0) await engine.record([entry('grant-lapse', { grants })]);
  if (engine.mode === 'auto' && !engine.confinement && input.entries.length > 2 && !input.widen) {
    await engine.setMode('ask', 'reopened');
  }
  if (!engine.openTurn) return;
  if (engine.isWaiting) {
    for (const call of engine.openTurn.pending) {
      const question = call.asked ? history.question(call.callId) : null;
      if (question) approvals.restore(question);
    }
    return;
  }
  const partial = await context.store.getPartial(input.id);
  const kept =
    partial?.turnId === engine.openTurn.turnId ? { text: partial.text, reasoning: partial.reasoning } : undefined;
  await engine.closeTurn('interrupted', 'restart', kept);
}

/** What the settings would allow beyond what a loaded chat has: offered, never taken by itself. */
export async function findOffer(context: AppContext, engine: Session): Promise<AuthorityChange[]> {
  const now = await resolveAuthority({
    workspace: engine.authority.workspace,
    tools: knownTools(context.settings.current).filter((tool) => context.permission(tool.name) !== 'off'),
    limits: settingLimits(context.settings.current),
    environment: context.environmentDigests,
  });
  return compareAuthority(engine.authority, now.snapshot).filter((change) => change.widens);
}

function newApprovals(context: AppContext, input: LoadInput): PendingApprovals {
  const approvals = new PendingApprovals({
    sessionId: input.id,
    folder: shownPath(input.projectPath),
    onRequest: (approval) => {
      context.events.publish(input.id, { type: 'approval-request', approval });
      // Those that come together are told of once.
      if (approvals.list().length === 1) context.approvalAsked(approval);
      context.sessionChanged(input.id);
    },
    onSettle: (callId) => {
      context.events.publish(input.id, { type: 'approval-settle', callId });
      context.sessionChanged(input.id);
    },
  });
  return approvals;
}

function newQuestions(context: AppContext, sessionId: SessionId): PendingQuestions {
  return new PendingQuestions({
    sessionId,
    onAsk: (question) => {
      context.events.publish(sessionId, { type: 'question-ask', question });
      context.approvalAsked({ summary: question.question });
      context.sessionChanged(sessionId);
    },
    onSettle: (callId) => {
      context.events.publish(sessionId, { type: 'question-settle', callId });
      context.sessionChanged(sessionId);
    },
  });
}

async function modelOf(context: AppContext, input: LoadInput): Promise<Model> {
  try {
    return await context.models.create(input.model);
  } catch (error) {
    return failingModel(input.model, error);
  }
}

function journalOf(context: AppContext, { id, saved }: LoadInput): Journal {
  return {
    lasting: saved,
    append: (entries) => context.store.append(id, process.pid, entries),
    partial: (turnId, text, reasoning) => {
      context.store.putPartial(id, { turnId, text, reasoning }).catch((error: unknown) => {
        context.logger.error('partial text not kept', error);
      });
    },
  };
}

function entry<K extends EntryKind>(kind: K, data: EntryData<K>): NewEntry {
  const atMs = Date.now();
  return { id: newId<EntryId>(atMs), atMs, kind, data } as NewEntry;
}
