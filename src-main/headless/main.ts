// The command's entry: `warrant run` and `warrant resume` over the same app and store as the window, in one thread.
import { createRequire } from 'node:module';
import path from 'node:path';
import { createApp, type App } from '../app/create-app.ts';
import { dataFolder, ensureDataFolder } from '../app/data-folder.ts';
import type { LiveSession } from '../app/live-session.ts';
import { openDataStore, openMemoryStore } from '../app/open-data-store.ts';
import type { PendingApprovals } from '../app/pending-approvals.ts';
import { createSecretStore } from '../app/secret-store.ts';
import { SettingsService } from '../app/settings-service.ts';
import { AppError, isAppError, toWireError } from '../base/app-error.ts';
import { silentLogger } from '../base/logger.ts';
import type { Outcome } from '../contract/entries.ts';
import type { CallId } from '../contract/ids.ts';
import type { ApprovalAnswer, Approver, Asker } from '../engine/ports.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { headlessHost } from './headless-host.ts';
import {
  parseCommand,
  USAGE,
  type CheckpointsCommand,
  type ExportCommand,
  type InstructionsCommand,
  type RestoreCommand,
  type ResumeCommand,
  type RunCommand,
} from './parse-command.ts';
import { jsonPrinter, textPrinter, type Printer } from './print-events.ts';
import { terminalApprover } from './terminal-approver.ts';
import { warmUpSteps } from './warm-up.ts';
import { visibleText } from './visible-text.ts';

const NOBODY =
  'nobody is there to answer. Allow it beforehand with --allow, use --suspend to answer later, or run in a terminal';

const NOT_SAVED = 'Nothing of this chat is saved: it is gone at the end. What it changes in the folder stays.';

const NOBODY_EVER = 'nobody is there to answer. Use --suspend to answer later, or run in a terminal';

/** Runs one command; gives the exit code. */
async function main(words: readonly string[]): Promise<number> {
  const command = parseCommand(words, process.cwd());
  if (command.type === 'help') {
    process.stdout.write(`${USAGE}\n`);
    return EXIT.completed;
  }
  if (command.type === 'version') {
    process.stdout.write(`${version()}\n`);
    return EXIT.completed;
  }
  if (command.type === 'export') return exportChat(command);
  if (command.type === 'instructions') return tellInstructions(command);
  if (command.type === 'checkpoints' || command.type === 'restore') return tellCheckpoints(command);
  const app = await openApp(command);
  try {
    return command.type === 'run' ? await run(app, command) : await resume(app, command);
  } finally {
    await app.close();
  }
}

async function tellCheckpoints(command: CheckpointsCommand | RestoreCommand): Promise<number> {
  const folder = dataFolder(process.env, process.platform);
  ensureDataFolder(folder);
  const { runCheckpointCommand } = await import('./checkpoint-commands.ts');
  return runCheckpointCommand(command, { folder, version: version() });
}

async function tellInstructions(command: InstructionsCommand): Promise<number> {
  const folder = dataFolder(process.env, process.platform);
  ensureDataFolder(folder);
  const { tellInstructions: tell } = await import('./instructions-command.ts');
  await tell(folder, command);
  return EXIT.completed;
}

async function exportChat(command: ExportCommand): Promise<number> {
  const { exportFrom } = await import('./export-command.ts');
  await exportFrom(dataFolder(process.env, process.platform), command);
  return EXIT.completed;
}

/** The store that a command works on: of a run that writes nothing, one in memory. */
async function openStoreFor(command: RunCommand | ResumeCommand, folder: string): ReturnType<typeof openDataStore> {
  if (command.type === 'run' && command.ephemeral) return openMemoryStore('own');
  ensureDataFolder(folder);
  return openDataStore({ folder, thread: 'own' });
}

async function openApp(command: RunCommand | ResumeCommand): Promise<App> {
  const folder = dataFolder(process.env, process.platform);
  const [store, settings] = await Promise.all([openStoreFor(command, folder), SettingsService.open(folder)]);
  if (settings.problem) process.stderr.write(`${settings.problem}\n`);
  return createApp({
    host: headlessHost(version(), createSecretStore(folder)),
    logger: silentLogger,
    store,
    settings,
    dataFolder: folder,
    outputFolder: path.join(folder, 'outputs'),
    environment: process.env,
    program: 'warrant run',
    extraRules: command.type === 'run' ? command.rules : [],
    approverFor: approverFor(command),
    asker: hasTerminal(command) ? lazyTerminalAsker() : null,
  });
}

function approverFor(command: RunCommand | ResumeCommand): (approvals: PendingApprovals) => Approver {
  if (command.suspend) return () => ({ ask: () => Promise.resolve({ type: 'suspend' }) });
  if (hasTerminal(command)) {
    return () => terminalApprover({ input: process.stdin, output: process.stderr });
  }
  return () => ({
    ask: ({ grantable, why }) =>
      Promise.resolve({ type: 'deny', reason: `${why}, and ${grantable ? NOBODY : NOBODY_EVER}`, by: 'policy' }),
  });
}

/** Somebody reads and writes here. */
function hasTerminal(command: RunCommand | ResumeCommand): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !command.json;
}

/** Most runs ask nothing, and their start would pay for it. */
function lazyTerminalAsker(): Asker {
  let asker: Asker | null = null;
  return {
    askUser: async (question, signal) => {
      const { terminalAsker } = await import('./terminal-asker.ts');
      asker ??= terminalAsker({ input: process.stdin, output: process.stderr });
      return asker.askUser(question, signal);
    },
  };
}

async function run(app: App, command: RunCommand): Promise<number> {
  const live = await openChat(app, command);
  const printer = printerOf(command.json);
  printer.start(live.id);
  if (command.ephemeral && !command.json) process.stderr.write(`${NOT_SAVED}\n`);
  const watching = watch(live, printer);
  if (!command.interactive) {
    await live.submit(command.prompt, []);
    return watching.finish();
  }
  const { converse } = await import('./converse.ts');
  return converse(live, { first: command.prompt, finish: () => watching.finish() });
}

async function openChat(app: App, command: RunCommand): Promise<LiveSession> {
  const project = await app.projects.open(command.project);
  if (command.resume === undefined) {
    const { model, mode, name, ephemeral } = command;
    return app.sessions.create({ projectId: project.id, model, mode, name, saved: !ephemeral });
  }
  const id =
    command.resume === 'last' ? await app.sessions.newest(project.id) : await app.sessions.find(command.resume);
  const live = await app.sessions.load(id);
  const waiting = live.approvals().map((approval) => approval.callId);
  if (waiting.length > 0) {
    throw new AppError(
      'session.input-pending',
      `This chat waits for an approval. Answer it first: warrant resume ${id} --allow ${waiting[0] ?? ''} (or --deny).`,
      { details: { waiting } },
    );
  }
  if (command.model !== undefined) await app.sessions.setModel(id, command.model);
  if (command.mode !== undefined) await live.setMode(command.mode);
  return live;
}

async function resume(app: App, command: ResumeCommand): Promise<number> {
  const live = await app.sessions.load(await app.sessions.find(command.sessionId));
  const waiting = new Map(live.approvals().map((approval) => [approval.callId as string, approval]));
  if (waiting.size === 0) throw new AppError('approval.not-waiting', 'This chat waits for nothing.');
  const decisions = new Map<CallId, ApprovalAnswer>();
  for (const call of [...command.allow, ...command.deny]) {
    const approval = waiting.get(call);
    if (!approval) {
      throw new AppError('approval.not-waiting', `The call ${call} does not wait for an answer in this chat.`, {
        details: { waiting: [...waiting.keys()] },
      });
    }
    const allowed = command.allow.includes(call);
    decisions.set(
      approval.callId,
      allowed
        ? { type: 'allow', lasting: 'once', digest: approval.digest }
        : { type: 'deny', reason: '', by: 'person' },
    );
  }
  const printer = printerOf(command.json);
  printer.start(live.id);
  const watching = watch(live, printer);
  live.resume(decisions);
  return watching.finish();
}

interface Watching {
  /** Resolves with the exit code once no turn runs. */
  finish(): Promise<number>;
}

/** Prints what happens in a chat, and stops its turn at an interrupt. */
function watch(live: LiveSession, printer: Printer): Watching {
  let outcome: Outcome | null = null;
  live.engine.on((event) => {
    if (event.type === 'step-start') warmUpSteps();
    printer.event(event);
    if (event.type === 'turn-end') outcome = event.outcome;
  });
  const interrupt = (): void => {
    void live.stop('interrupt');
  };
  // Whoever read the answer went away (`| head`): the turn is stopped, as an interrupt does.
  process.stdout.on('error', interrupt);
  process.stderr.on('error', interrupt);
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return {
    async finish() {
      await live.idle();
      await live.titled();
      if (!outcome) return EXIT.completed;
      printer.end(live.id, outcome);
      return exitCodeOf(outcome);
    },
  };
}

function printerOf(json: boolean): Printer {
  const streams = { out: process.stdout, err: process.stderr };
  return json ? jsonPrinter(streams) : textPrinter(streams);
}

function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('../../package.json');
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const wire = toWireError(error);
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ type: 'error', error: wire })}\n`);
  else
    process.stderr.write(
      `${visibleText(wire.message)}${isAppError(error) ? '' : ` (${error instanceof Error ? visibleText(error.message) : ''})`}\n`,
    );
  process.exitCode = wire.code === 'config.invalid' ? EXIT.usage : EXIT.failed;
}
