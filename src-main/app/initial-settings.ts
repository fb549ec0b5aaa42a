// The defaults of the settings as plain data, so that a start without a settings file need not load zod. A test keeps
// this equal to the schema's own defaults.
import type { Settings } from '../contract/settings.ts';

/** Settings with every value at its default. */
export function initialSettings(): Settings {
  return {
    version: 1,
    theme: 'system',
    textSize: 15,
    defaultModel: '',
    defaultMode: 'ask',
    confinement: true,
    unconfinable: 'ask',
    tools: {},
    rules: [],
    useRules: false,
    rememberApprovals: false,
    limits: {},
    providers: [],
    shellVariables: [],
    loginShellPath: true,
    secretPatterns: [],
    searchUrl: '',
    findLocalModels: true,
    notifications: true,
    saveChats: true,
    automaticTitles: false,
    branches: true,
    checkpoints: true,
    instructions: {},
    automaticCompaction: true,
    modelSummaries: false,
    contextGuard: true,
    shiftTabCyclesModes: true,
  };
}
