// An agent as a value: what it may do and who it works with, to be started any number of times. Each start is a session of
// its own (AUTH-23). A definition is never changed; every change gives another one.
import { newId } from '../base/new-id.ts';
import type { Entry } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import type { ResolvedAuthority } from './authority.ts';
import { authorityOf, createSession } from './build-session.ts';
import { ephemeralJournal } from './ephemeral-journal.ts';
import { importTranscript, type TranscriptMessage } from './import-transcript.ts';
import type { Journal, SessionPorts, Tool } from './ports.ts';
import { resumeSession } from './resume-session.ts';
import type { SessionConfig } from './session-config.ts';
import type { Session } from './session.ts';

export type AgentConfig = Omit<SessionConfig, 'sessionId' | 'history'>;
export type AgentPorts = Omit<SessionPorts, 'journal'>;

/** What a start goes on from, and where it is kept; without any of these it is a new session in memory alone. */
export interface StartOptions {
  readonly sessionId?: SessionId;
  readonly journal?: Journal;
  /** Entries that the journal holds already, oldest first. */
  readonly history?: readonly Entry[];
  /** Messages to go on from instead; they are stored first. */
  readonly transcript?: readonly TranscriptMessage[];
}

export class AgentDefinition {
  readonly config: Readonly<AgentConfig>;
  readonly ports: Readonly<AgentPorts>;

  constructor(config: AgentConfig, ports: AgentPorts) {
    this.config = Object.freeze({ ...config });
    this.ports = Object.freeze({ ...ports, tools: Object.freeze([...ports.tools]) });
  }

  /** The same agent with this in the place of what it had. */
  with(change: Partial<AgentConfig>): AgentDefinition {
    return new AgentDefinition({ ...this.config, ...change }, this.ports);
  }

  /** The same agent with these tools in the place of all that it had. */
  withTools(tools: readonly Tool[]): AgentDefinition {
    return new AgentDefinition(this.config, { ...this.ports, tools });
  }

  /** The same agent with one tool more. */
  withTool(tool: Tool): AgentDefinition {
    return this.withTools([...this.ports.tools, tool]);
  }

  /** What a session started now could do at most; uses nothing up (AUTH-03). Code authority.invalid. */
  authority(): Promise<ResolvedAuthority> {
    return authorityOf(this.config, this.ports.tools);
  }

  /** Starts a session. Codes as createSession, and as importTranscript and the journal where a transcript is given. */
  async start(options: StartOptions = {}): Promise<Session> {
    const { sessionId = newId<SessionId>(), history = [], transcript } = options;
    const journal = options.journal ?? ephemeralJournal(sessionId);
    const ports = { ...this.ports, journal };
    const config = { ...this.config, sessionId, history };
    if (!transcript) return createSession(config, ports);
    const known = new Set(this.ports.tools.map((tool) => tool.declaration.name));
    const nowMs = this.ports.clock.nowMs();
    const { systemPrompt, entries } = importTranscript({
      ...{ messages: transcript, tools: known, nowMs },
      systemPrompt: this.config.systemPrompt,
    });
    // Everything that could be refused is, before anything is stored.
    await createSession({ ...config, systemPrompt }, ports);
    return createSession({ ...config, systemPrompt, history: await journal.append(entries) }, ports);
  }

  /** Goes on with a session that was taken as a value. Codes as resumeSession. */
  async resume(snapshot: unknown, options: { journal: Journal; acceptDrift?: boolean }): Promise<Session> {
    const { journal, acceptDrift = false } = options;
    return resumeSession(snapshot, { ...this.config, acceptDrift }, { ...this.ports, journal });
  }
}
