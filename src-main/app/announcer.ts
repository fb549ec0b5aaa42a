// Tells windows and the person what became of chats: their lines in the list, and notifications while no window is in front.
import type { Outcome } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import type { Approval, SessionSummary } from '../contract/session.ts';
import type { AppOptions } from './create-app.ts';
import type { EventHub } from './event-hub.ts';

export class Announcer {
  readonly #options: AppOptions;
  readonly #events: EventHub;
  readonly #waiting = new Set<SessionId>();
  /** Set once the chats are there. */
  summarise: ((id: SessionId) => Promise<SessionSummary>) | null = null;

  constructor(options: AppOptions, events: EventHub) {
    this.#options = options;
    this.#events = events;
  }

  /** The line of a chat changed. Several changes in one piece of work are told once. */
  sessionChanged(id: SessionId): void {
    if (this.#waiting.has(id)) return;
    this.#waiting.add(id);
    queueMicrotask(() => {
      this.#waiting.delete(id);
      void this.#tell(id);
    });
  }

  approvalAsked(approval: Pick<Approval, 'summary'>): void {
    if (this.#mayNotify()) this.#options.host.notify({ title: 'Warrant waits for you', body: approval.summary });
  }

  turnEnded(id: SessionId, outcome: Outcome): void {
    this.#options.onTurnEnd?.(id, outcome);
    void this.#markAndNotify(id, outcome);
  }

  async #tell(id: SessionId): Promise<void> {
    try {
      const session = await this.summarise?.(id);
      if (session) this.#events.publishApp({ type: 'session-update', session });
    } catch (error) {
      this.#options.logger.error('a chat could not be announced', error);
    }
  }

  async #markAndNotify(id: SessionId, outcome: Outcome): Promise<void> {
    const { host, store, logger } = this.#options;
    if (outcome.type === 'cancelled' || outcome.type === 'interrupted') return;
    try {
      if (!host.isFocused() || !this.#events.isShown(id)) await store.setUnread(id, true);
      if (this.#mayNotify()) {
        const row = await store.getSession(id);
        const title = outcome.type === 'failed' ? 'A chat stopped with an error' : 'A chat is done';
        host.notify({ title, body: row?.title ?? '' });
      }
    } catch (error) {
      logger.error('the end of a turn could not be announced', error);
    }
    this.sessionChanged(id);
  }

  #mayNotify(): boolean {
    return this.#options.settings.current.notifications && !this.#options.host.isFocused();
  }
}
