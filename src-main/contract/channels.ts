// The names of all procedures as plain data, without zod: the preload makes its functions from this. A type test keeps
// it equal to api.ts.

/** Channel of event batches, main to window. */
export const EVENTS_CHANNEL = 'warrant:events';

export const PROCEDURES = {
  app: [
    'getState',
    'pickFolder',
    'listFolders',
    'openExternal',
    'copyText',
    'openDataFolder',
    'getDataStats',
    'listChatSizes',
    'setTitle',
    'reportReady',
  ],
  projects: ['list', 'open', 'relink', 'forget', 'readInstructions', 'decideInstructions', 'completeFiles'],
  sessions: [
    'list',
    'search',
    'create',
    'open',
    'close',
    'readEarlier',
    'readEntry',
    'submit',
    'continueTurn',
    'stop',
    'removeQueued',
    'rename',
    'setArchived',
    'setPinned',
    'trash',
    'restore',
    'purge',
    'markRead',
    'clearContext',
    'rewind',
    'undoRewind',
    'jump',
    'nameBranch',
    'fork',
    'exportChat',
    'importChat',
    'stopImport',
    'loadMessages',
    'readTree',
    'setMode',
    'setModel',
    'setEnabledTools',
    'setConfinement',
    'saveDraft',
    'putAttachment',
    'getAuthority',
    'updateAuthority',
    'listLedger',
    'listChanges',
  ],
  checkpoints: ['list', 'readChanges', 'readDiff', 'plan', 'restore'],
  approvals: ['answer', 'answerQuestion'],
  shells: ['send', 'stop'],
  context: ['compact', 'startAfresh', 'undo', 'leaveOut', 'pin', 'read', 'readRequest'],
  settings: ['get', 'update'],
  models: ['list', 'discover', 'saveProvider', 'removeProvider', 'setKey', 'removeKey', 'listKeys', 'test'],
} as const;

/** The channel of one procedure. */
export function channelOf(area: string, name: string): string {
  return `warrant:${area}.${name}`;
}
