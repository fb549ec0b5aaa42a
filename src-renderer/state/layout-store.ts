// How the window is arranged: side bar, panel, which screen and which dialog. Kept in memory for the life of the window.
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RestorePlan, RestoreScope } from '../../src-main/contract/checkpoints.ts';
import type { ProjectId, SessionId } from '../../src-main/contract/ids.ts';
import type { GoBack } from './go-back.ts';

export type PanelTab = 'authority' | 'changes' | 'ledger' | 'context' | 'tree';
export type SettingsPage = 'models' | 'permissions' | 'appearance' | 'data';

export type OpenDialog =
  /** `relink` = the project whose folder is asked for; absent = a folder to open. */
  | { readonly type: 'folder-chooser'; readonly relink?: ProjectId }
  | { readonly type: 'palette' }
  | { readonly type: 'help' }
  /** How far to go back is asked: `plan` = which files that would be about. */
  | { readonly type: 'go-back'; readonly to: GoBack; readonly plan: RestorePlan }
  | {
      readonly type: 'restore-files';
      readonly sessionId: SessionId;
      readonly scope: RestoreScope;
      readonly title: string;
    }
  /** An address that something in the window wants to open outside. */
  | { readonly type: 'external-link'; readonly url: string };

export interface LayoutState {
  readonly sideBar: boolean;
  readonly sideBarWidth: number;
  readonly panel: boolean;
  readonly panelWidth: number;
  readonly panelTab: PanelTab;
  readonly screen: 'chat' | 'settings';
  readonly settingsPage: SettingsPage;
  readonly dialog: OpenDialog | null;
  /** The window is too narrow for three columns: the panel lies over the chat, and only when asked for. */
  readonly narrow: boolean;
}

export interface LayoutStore extends StoreApi<LayoutState> {
  readonly toggleSideBar: () => void;
  readonly togglePanel: () => void;
  readonly showPanel: (tab: PanelTab) => void;
  readonly showSettings: (page?: SettingsPage) => void;
  readonly showChat: () => void;
  readonly showDialog: (dialog: OpenDialog) => void;
  readonly closeDialog: () => void;
  readonly resize: (part: 'sideBarWidth' | 'panelWidth', px: number) => void;
  readonly setNarrow: (narrow: boolean) => void;
}

/** Widths in px between which a person may drag. */
export const WIDTHS = { sideBarWidth: [200, 360], panelWidth: [260, 560] } as const;

export function createLayoutStore(): LayoutStore {
  const store = createStore<LayoutState>(() => ({
    sideBar: true,
    sideBarWidth: 236,
    panel: true,
    panelWidth: 312,
    panelTab: 'authority',
    screen: 'chat',
    settingsPage: 'models',
    dialog: null,
    narrow: false,
  }));
  const set = store.setState;
  return {
    ...store,
    toggleSideBar: () => set(({ sideBar }) => ({ sideBar: !sideBar })),
    togglePanel: () => set(({ panel }) => ({ panel: !panel, screen: 'chat' })),
    showPanel: (panelTab) => set({ panel: true, panelTab, screen: 'chat' }),
    showSettings: (settingsPage) =>
      set({ screen: 'settings', dialog: null, ...(settingsPage ? { settingsPage } : {}) }),
    showChat: () => set({ screen: 'chat' }),
    showDialog: (dialog) => set({ dialog }),
    closeDialog: () => set({ dialog: null }),
    resize: (part, px) => {
      const [least, most] = WIDTHS[part];
      set({ [part]: Math.round(Math.min(most, Math.max(least, px))) });
    },
    // A panel that was open beside the chat would cover it: it closes when the window narrows, and comes back.
    setNarrow: (narrow) => set((state) => (state.narrow === narrow ? state : { narrow, panel: !narrow })),
  };
}
