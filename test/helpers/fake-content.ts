// What a made-up Warrant has in it: projects, chats, models. Realistic enough to judge screens by; no real names.
import type { AppState } from '../../src-main/contract/api.ts';
import type { AuthorityView, SessionSummary, SessionView } from '../../src-main/contract/session.ts';
import { projectIdSchema, sessionIdSchema } from '../../src-main/contract/ids.ts';
import type { ProjectId, SessionId } from '../../src-main/contract/ids.ts';
import { defaultLimits } from '../../src-main/contract/limits.ts';
import type { ModelInfo } from '../../src-main/contract/models.ts';
import type { Project } from '../../src-main/contract/project.ts';
import { defaultSettings } from '../../src-main/contract/settings.ts';
import type { WindowEntry } from '../../src-main/contract/entries.ts';
import { FAKE_NOW } from './fake-entries.ts';

export const EPOCH = 'epoch-1';
export const QWEN = 'openai-compatible:qwen3-coder@http://127.0.0.1:11434/v1';

export const projectId = (text: string): ProjectId => projectIdSchema.parse(text);
export const sessionId = (text: string): SessionId => sessionIdSchema.parse(text);

export function fakeProject(name: string, minutesAgo: number, present = true): Project {
  return {
    id: projectId(name),
    path: `/home/sam/${name}`,
    name,
    shownPath: `~/${name}`,
    lastOpenedAtMs: FAKE_NOW - minutesAgo * 60_000,
    present,
  };
}

export const fakeModels: readonly ModelInfo[] = [
  { ref: 'guide', wire: 'guide', name: 'Guide', origin: 'built in', local: true, contextWindow: null, tools: true },
  {
    ref: QWEN,
    wire: 'openai-compatible',
    name: 'qwen3-coder',
    origin: 'Ollama on this machine',
    local: true,
    contextWindow: 262_144,
    tools: true,
  },
  {
    ref: 'anthropic:claude-sonnet-5',
    wire: 'anthropic',
    name: 'claude-sonnet-5',
    origin: 'Anthropic',
    local: false,
    contextWindow: 200_000,
    tools: true,
  },
];

export function fakeAppState(projects: readonly Project[], change: Partial<AppState> = {}): AppState {
  const settings = defaultSettings();
  return {
    version: '0.1.0',
    runtime: 'Chromium 156',
    platform: 'linux',
    home: '/home/sam',
    epoch: EPOCH,
    dataFolder: '/home/sam/.local/share/warrant',
    projects: [...projects],
    currentProjectId: projects[0]?.id ?? null,
    settings: {
      ...settings,
      defaultModel: QWEN,
      providers: [
        {
          id: 'ollama',
          wire: 'openai-compatible',
          label: 'Ollama',
          baseUrl: 'http://127.0.0.1:11434/v1',
          models: ['qwen3-coder', 'gpt-oss:20b'],
          keyCommand: '',
          keyVariable: '',
        },
        {
          id: 'anthropic',
          wire: 'anthropic',
          label: 'Anthropic',
          baseUrl: 'https://api.anthropic.com',
          models: ['claude-sonnet-5'],
          keyCommand: '',
          keyVariable: 'ANTHROPIC_API_KEY',
        },
      ],
      rules: [
        { id: 'r1', effect: 'allow', match: 'shell:npm test' },
        { id: 'r2', effect: 'deny', match: 'shell:git push --force' },
      ],
    },
    models: [...fakeModels],
    toolNames: [
      { name: 'read_file', title: 'Read files', default: 'ask', class: 'read' },
      { name: 'list_directory', title: 'List folders', default: 'ask', class: 'read' },
      { name: 'find_files', title: 'Find files', default: 'ask', class: 'read' },
      { name: 'grep', title: 'Search in files', default: 'ask', class: 'read' },
      { name: 'write_file', title: 'Write files', default: 'ask', class: 'write' },
      { name: 'edit_file', title: 'Edit files', default: 'ask', class: 'write' },
      { name: 'shell', title: 'Run commands', default: 'ask', class: 'command' },
      { name: 'datetime', title: 'Clock', default: 'off', class: 'clock' },
      { name: 'web_fetch', title: 'Fetch web pages', default: 'off', class: 'network' },
    ],
    confinement: { available: true, reason: 'bubblewrap 0.11' },
    firstRun: projects.length === 0,
    nativeFolderDialog: false,
    keyCommands: true,
    notices: [],
    ...change,
  };
}

export function fakeSummary(
  id: string,
  project: ProjectId,
  minutesAgo: number,
  change: Partial<SessionSummary> & { title: string },
): SessionSummary {
  const updatedAtMs = FAKE_NOW - minutesAgo * 60_000;
  return {
    id: sessionId(id),
    projectId: project,
    createdAtMs: updatedAtMs - 600_000,
    updatedAtMs,
    status: 'idle',
    unread: false,
    name: '',
    saved: true,
    pinned: false,
    archived: false,
    trashedAtMs: null,
    waitingApprovals: 0,
    queued: 0,
    mode: 'ask',
    model: QWEN,
    turns: 3,
    ...change,
  };
}

const tool = (
  name: string,
  title: string,
  kind: 'read' | 'write' | 'command' | 'network' | 'clock',
  rest: Partial<AuthorityView['tools'][number]>,
): AuthorityView['tools'][number] => ({
  name,
  title,
  class: kind,
  enabled: true,
  behaviour: 'runs',
  limits: [],
  ...rest,
});

export function fakeAuthority(project: Project, change: Partial<AuthorityView> = {}): AuthorityView {
  return {
    snapshot: {
      version: 1,
      workspace: { path: project.path, dev: '2053', ino: '1311492', guarantee: 'descriptor' },
      tools: [],
      builtins: { files: true, shell: true, webFetch: false, webSearch: false, clock: false },
      limits: defaultLimits(),
      environment: { path: 'b41c…', home: '77d0…' },
    },
    digest: '9f1c44ab0d7e51c2aa8047bd3f6c90e1d2b7a4f06c5e8891b3d4f7a2c6e0159d',
    generation: 3,
    tools: [
      tool('read_file', 'Read files', 'read', { limits: ['2,000 lines', '60 Ki characters'] }),
      tool('list_directory', 'List folders', 'read', {}),
      tool('find_files', 'Find files', 'read', { limits: ['200 results'] }),
      tool('grep', 'Search in files', 'read', { limits: ['200 results'] }),
      tool('write_file', 'Write files', 'write', { behaviour: 'asks' }),
      tool('edit_file', 'Edit files', 'write', { behaviour: 'asks' }),
      tool('shell', 'Run commands', 'command', { behaviour: 'asks', limits: ['confined', '2 min', '64 KiB'] }),
      tool('web_fetch', 'Fetch web pages', 'network', { enabled: false, behaviour: 'off' }),
    ],
    confinement: { on: true, available: true, reason: 'bubblewrap 0.11' },
    drift: [],
    offer: [],
    grants: [],
    lapsedGrants: [],
    ...change,
  };
}

export function fakeView(
  summary: SessionSummary,
  project: Project,
  entries: readonly WindowEntry[],
  change: Partial<SessionView> = {},
): SessionView {
  return {
    summary,
    projectPath: project.path,
    epoch: EPOCH,
    n: 0,
    entries: [...entries],
    hasEarlier: false,
    running: null,
    approvals: [],
    questions: [],
    shell: null,
    queue: [],
    draft: { text: '', attachments: [] },
    authority: fakeAuthority(project),
    meter: {
      contextTokens: 81_260,
      contextWindow: 262_144,
      total: { input: 214_300, output: 6120, cachedInput: 180_200, reasoning: 900, costUsd: 0.06 },
    },
    lastOutcome: null,
    heldBy: null,
    folderProblem: null,
    ...change,
  };
}
