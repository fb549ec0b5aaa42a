// Small folds over a session's path that the app needs besides the engine's own: its authority so far, its queue, grants
// that lapsed, its meter, and which files it read in which version.
import type { AuthoritySnapshot, Grant } from '../contract/authority.ts';
import type { Entry, EntryOf, Usage } from '../contract/entries.ts';
import type { CallId } from '../contract/ids.ts';
import type { QueueItem } from '../contract/session.ts';

/** What the app keeps of a path, taken entry by entry. */
export class SessionHistory {
  authority: { snapshot: AuthoritySnapshot; digest: string; generation: number } | null = null;
  queue: QueueItem[] = [];
  /** Session grants that were given, by the call that they were given on. */
  readonly grants = new Map<CallId, Grant>();
  /** Those of `grants` that no entry says to have ended yet. */
  unlapsed: Grant[] = [];
  readonly total: Usage = { input: 0, output: 0, cachedInput: 0, reasoning: 0, costUsd: 0 };
  contextTokens = 0;
  title = '';
  /** Who gave the title; null = it has none. */
  titleBy: EntryOf<'title'>['data']['by'] | null = null;
  turns = 0;
  /** Messages that came of an imported file; null = none was imported. */
  imported: number | null = null;
  readonly #questions = new Map<CallId, EntryOf<'approval-request'>>();
  readonly #paths = new Map<CallId, string>();
  readonly #versions = new Map<string, string>();
  /** Files that calls began to change and that have no result. */
  readonly #changing = new Map<CallId, string>();

  take(entry: Entry): void {
    switch (entry.kind) {
      case 'authority':
        this.authority = {
          snapshot: entry.data.snapshot,
          digest: entry.data.digest,
          generation: (this.authority?.generation ?? 0) + 1,
        };
        return;
      case 'queue-add':
        this.queue = [...this.queue, entry.data];
        return;
      case 'queue-remove':
        this.queue = this.queue.filter((item) => item.queueId !== entry.data.queueId);
        return;
      case 'title':
        this.title = entry.data.title;
        this.titleBy = entry.data.by;
        return;
      case 'import':
        this.imported = entry.data.messages;
        return;
      case 'user-message':
        this.turns += 1;
        return;
      case 'assistant-message':
        this.#addUsage(entry.data.usage);
        return;
      case 'reduction':
        this.#addUsage(entry.data.usage);
        this.contextTokens = entry.data.after;
        return;
      default:
        this.#takeCall(entry);
    }
  }

  /** The question that a call asked last, or null. */
  question(callId: CallId): EntryOf<'approval-request'> | null {
    return this.#questions.get(callId) ?? null;
  }

  /** The version of a file that this session saw last; null = it never read it. */
  lastVersion(path: string): string | null {
    return this.#versions.get(path) ?? null;
  }

  /** Files whose change was begun and has no result, each with the version that it stood on; null = a new file. */
  cutChanges(): { path: string; base: string | null }[] {
    return [...this.#changing.values()].map((path) => ({ path, base: this.lastVersion(path) }));
  }

  #takeCall(entry: Entry): void {
    if (entry.kind === 'approval-request') {
      this.#questions.set(entry.data.callId, entry);
    } else if (entry.kind === 'verdict' && entry.data.lasting === 'session') {
      const grant = this.#questions.get(entry.data.callId)?.data.grant;
      if (grant) {
        this.grants.set(entry.data.callId, grant);
        this.unlapsed.push(grant);
      }
    } else if (entry.kind === 'grant-lapse') {
      this.unlapsed = [];
    } else if (entry.kind === 'tool-start' && entry.data.preview.type === 'path') {
      this.#paths.set(entry.data.callId, entry.data.preview.path);
    } else if (entry.kind === 'tool-start' && entry.data.preview.type === 'diff') {
      this.#changing.set(entry.data.callId, entry.data.preview.path);
    } else if (entry.kind === 'tool-result') {
      this.#takeResult(entry);
    }
  }

  #takeResult(entry: EntryOf<'tool-result'>): void {
    this.#changing.delete(entry.data.callId);
    const path = this.#paths.get(entry.data.callId);
    if (path !== undefined && entry.data.facts.version !== undefined)
      this.#versions.set(path, entry.data.facts.version);
    for (const change of entry.data.changes) {
      if (change.after === null) this.#versions.delete(change.path);
      else this.#versions.set(change.path, change.after);
    }
  }

  #addUsage(usage: Usage | null): void {
    if (!usage) return;
    this.total.input += usage.input;
    this.total.output += usage.output;
    this.total.cachedInput += usage.cachedInput;
    this.total.reasoning += usage.reasoning;
    this.total.costUsd =
      this.total.costUsd === null || usage.costUsd === null ? null : this.total.costUsd + usage.costUsd;
    this.contextTokens = usage.input + usage.output;
  }
}
