// A whole main process in memory, typed as the bridge: for tests and pictures of the window only.
// What a person does changes its content and is announced as main would, numbered a session; `emit` adds any event.
import { api } from '../../src-main/contract/api.ts';
import type { AppState, Area, FolderListing, Procedure, WarrantBridge } from '../../src-main/contract/api.ts';
import type { ZodType } from 'zod';
import type { CheckpointFile, CheckpointList, RestorePlan } from '../../src-main/contract/checkpoints.ts';
import type { ContextView } from '../../src-main/contract/context.ts';
import { PROCEDURES } from '../../src-main/contract/channels.ts';
import type { ErrorCode, WireError, WireResult } from '../../src-main/contract/errors.ts';
import { ERROR_CODES } from '../../src-main/contract/errors.ts';
import type { AppEvent, EventEnvelope, SessionEvent } from '../../src-main/contract/events.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import type { ProjectInstructions } from '../../src-main/contract/instructions.ts';
import type { KeyState } from '../../src-main/contract/models.ts';
import type {
  ChangedFile,
  LedgerRow,
  SearchHit,
  SessionSummary,
  SessionView,
} from '../../src-main/contract/session.ts';
import type { TreeView } from '../../src-main/contract/session-tree.ts';
import { createFakeProcedures } from './fake-procedures.ts';

/** All that the made-up main has; tests may change it at any time. */
export interface FakeContent {
  app: AppState;
  sessions: SessionSummary[];
  views: Record<string, SessionView>;
  folders: Record<string, FolderListing>;
  files: string[];
  keys: KeyState[];
  ledger: LedgerRow[];
  changes: ChangedFile[];
  /** What any search finds; absent = nothing. */
  hits?: SearchHit[];
  /** What AGENTS.md tells; absent = the projects give no instructions. */
  instructions?: ProjectInstructions;
  /** What every chat's model is sent; absent = nothing. */
  context?: ContextView;
  /** The tree of every chat; absent = none has turns. */
  tree?: TreeView;
  /** File checkpoints of every chat; absent = none has any. */
  checkpoints?: { list: CheckpointList; changes: CheckpointFile[]; diff: string; plan: RestorePlan };
}

export interface FakeCall {
  readonly name: string;
  readonly input: unknown;
}

export interface FakeBridge {
  readonly bridge: WarrantBridge;
  readonly content: FakeContent;
  /** Every call that the window made, oldest first. */
  readonly calls: FakeCall[];
  emit(sessionId: SessionId, ...events: SessionEvent[]): void;
  emitApp(...events: AppEvent[]): void;
  /** Lets the next n of this session be skipped, as if a batch were lost. */
  loseEvents(sessionId: SessionId, count: number): void;
  /** Lets a procedure fail from now on; null ends it. */
  fail(name: string, error: WireError | null): void;
  /** Lets a procedure never answer from now on. */
  hang(name: string): void;
}

export function wireError(code: ErrorCode, message: string, details?: Record<string, unknown>): WireError {
  return { code, message, retryable: ERROR_CODES[code], ...(details ? { details } : {}) };
}

export function createFakeBridge(content: FakeContent): FakeBridge {
  const listeners = new Set<(events: EventEnvelope[]) => void>();
  const failures = new Map<string, WireError>();
  const hung = new Set<string>();
  const calls: FakeCall[] = [];
  let appN = 0;

  const send = (envelopes: EventEnvelope[]): void => {
    for (const listener of listeners) listener(structuredClone(envelopes));
  };
  const emit: FakeBridge['emit'] = (sessionId, ...events) => {
    const view = content.views[sessionId];
    if (!view) return;
    const envelopes = events.map((event): EventEnvelope => {
      view.n += 1;
      return { epoch: view.epoch, n: view.n, sessionId, event };
    });
    send(envelopes);
  };
  const emitApp: FakeBridge['emitApp'] = (...events) =>
    send(events.map((event) => ({ epoch: content.app.epoch, n: (appN += 1), sessionId: null, event })));

  const procedures = createFakeProcedures({ content, emit, emitApp });
  const call = async (name: string, input: unknown): Promise<WireResult<unknown>> => {
    calls.push({ name, input });
    if (hung.has(name)) return new Promise(() => {});
    const failure = failures.get(name);
    if (failure) return { ok: false, error: failure };
    const [area, procedure] = name.split('.') as [Area, never];
    const schema = (api[area][procedure] as Procedure<ZodType, ZodType>).input.safeParse(input);
    if (!schema.success)
      return { ok: false, error: wireError('ipc.invalid-input', `${name}: ${schema.error.message}`) };
    const run = procedures[area][procedure] as (given: unknown) => unknown;
    try {
      return { ok: true, value: structuredClone(await run(schema.data)) };
    } catch (error) {
      return { ok: false, error: error as WireError };
    }
  };

  const areas = Object.fromEntries(
    Object.entries(PROCEDURES).map(([area, names]) => [
      area,
      Object.fromEntries(names.map((name) => [name, (input: unknown) => call(`${area}.${name}`, input)])),
    ]),
  );
  const bridge = {
    ...areas,
    onEvents: (listener: (events: EventEnvelope[]) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pathForFile: async (file: unknown) => (file instanceof File ? `/home/sam/${file.name}` : ''),
  } as unknown as WarrantBridge;

  return {
    bridge,
    content,
    calls,
    emit,
    emitApp,
    loseEvents: (sessionId, count) => {
      const view = content.views[sessionId];
      if (view) view.n += count;
    },
    fail: (name, error) => (error ? void failures.set(name, error) : void failures.delete(name)),
    hang: (name) => void hung.add(name),
  };
}
