// Acts on projects: open a folder, ask for one, take one out of the list.
import type { ProjectId } from '../../src-main/contract/ids.ts';
import { wireErrorOf } from '../bridge/bridge-error.ts';
import type { Client } from '../bridge/client.ts';
import { withList, withNotice, type AppStore } from './app-store.ts';
import type { LayoutStore } from './layout-store.ts';

export interface ProjectActs {
  /** Opens a folder as a project and shows it. Gives the error's message, or null when it worked. */
  readonly openFolder: (path: string) => Promise<string | null>;
  /** Asks for a folder: the system's dialog where there is one, else the window's own. */
  readonly chooseFolder: () => Promise<void>;
  /** Reads the projects again: a folder may have gone, or come back. Rejects with a BridgeError. */
  readonly readProjects: () => Promise<void>;
  /** Asks where a project's folder is now. */
  readonly askWhereProjectIs: (projectId: ProjectId) => Promise<void>;
  /** Says where a project's folder is now, and shows it. Gives the error's message, or null when it worked. */
  readonly relinkProject: (projectId: ProjectId, path: string) => Promise<string | null>;
  readonly forgetProject: (projectId: ProjectId) => Promise<void>;
}

export interface ProjectActsOptions {
  readonly client: Client;
  readonly app: AppStore;
  readonly layout: LayoutStore;
  readonly attempt: (act: () => Promise<void>) => Promise<void>;
  readonly showProject: (projectId: ProjectId) => Promise<void>;
}

export function createProjectActs(options: ProjectActsOptions): ProjectActs {
  const { client, app, layout, attempt, showProject } = options;
  const openFolder: ProjectActs['openFolder'] = async (path) => {
    try {
      const project = await client.projects.open({ path });
      app.setState((state) => {
        const others = state.app?.projects.filter((known) => known.id !== project.id) ?? [];
        const opened = state.app ? { ...state.app, projects: [project, ...others], firstRun: false } : null;
        return withList({ ...state, app: opened }, project.id, (list) => list);
      });
      await showProject(project.id);
      return null;
    } catch (caught) {
      return wireErrorOf(caught).message;
    }
  };
  const relinkProject: ProjectActs['relinkProject'] = async (projectId, path) => {
    try {
      await client.projects.relink({ projectId, path });
      const projects = await client.projects.list({});
      // Chats of the folder that was open under another project have come to this one.
      app.setState((state) => ({
        app: state.app && { ...state.app, projects },
        lists: Object.fromEntries(Object.entries(state.lists).filter(([id]) => id !== projectId)),
      }));
      await showProject(projectId);
      return null;
    } catch (caught) {
      return wireErrorOf(caught).message;
    }
  };
  return {
    openFolder,
    relinkProject,
    async askWhereProjectIs(projectId) {
      if (app.getState().app?.nativeFolderDialog !== true) {
        layout.showDialog({ type: 'folder-chooser', relink: projectId });
        return;
      }
      await attempt(async () => {
        const path = await client.app.pickFolder({});
        const problem = path === null ? null : await relinkProject(projectId, path);
        if (problem !== null) app.setState((state) => withNotice(state, 'error', problem));
      });
    },
    async chooseFolder() {
      if (app.getState().app?.nativeFolderDialog !== true) {
        layout.showDialog({ type: 'folder-chooser' });
        return;
      }
      await attempt(async () => {
        const path = await client.app.pickFolder({});
        const problem = path === null ? null : await openFolder(path);
        if (problem !== null) app.setState((state) => withNotice(state, 'error', problem));
      });
    },
    async readProjects() {
      const projects = await client.projects.list({});
      app.setState((state) => ({ app: state.app && { ...state.app, projects } }));
    },
    async forgetProject(projectId) {
      await attempt(async () => {
        await client.projects.forget({ projectId });
        app.setState((state) => {
          const projects = state.app?.projects.filter((project) => project.id !== projectId) ?? [];
          const shown = state.projectId === projectId ? { projectId: null, sessionId: null } : {};
          return { ...shown, app: state.app && { ...state.app, projects } };
        });
      });
    },
  };
}
