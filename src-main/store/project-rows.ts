// Projects: folders that were opened, found again by their device and inode, so a renamed folder keeps its chats.
import type { ProjectId } from '../contract/ids.ts';
import { newId } from '../base/new-id.ts';
import type { StoreDatabase } from './store-database.ts';
import { projectNotFound } from './store-error.ts';
import type { ProjectRow } from './store.ts';

interface ProjectColumns {
  id: string;
  path: string;
  dev: string;
  ino: string;
  last_opened_at: number;
  hidden: number;
}

function toProjectRow(row: ProjectColumns): ProjectRow {
  return {
    id: row.id as ProjectId,
    path: row.path,
    dev: row.dev,
    ino: row.ino,
    lastOpenedAtMs: row.last_opened_at,
    hidden: row.hidden !== 0,
  };
}

function findProject(database: StoreDatabase, input: { path: string; dev: string; ino: string }): string | undefined {
  const order = 'ORDER BY last_opened_at DESC LIMIT 1';
  const byFolder = `SELECT id FROM project WHERE dev = ? AND ino = ? ${order}`;
  const byPath = `SELECT id FROM project WHERE path = ? ${order}`;
  const found =
    database.get<{ id: string }>(byFolder, input.dev, input.ino) ?? database.get<{ id: string }>(byPath, input.path);
  return found?.id;
}

/** See Store.openProject. */
export function openProject(
  database: StoreDatabase,
  input: { path: string; dev: string; ino: string; nowMs: number; id?: ProjectId },
): ProjectRow {
  return database.write(() => {
    const id = findProject(database, input) ?? input.id ?? newId(input.nowMs);
    database.run(
      `INSERT INTO project (id, path, dev, ino, last_opened_at, hidden) VALUES (?, ?, ?, ?, ?, 0)
       ON CONFLICT (id) DO UPDATE SET path = excluded.path, dev = excluded.dev, ino = excluded.ino,
         last_opened_at = excluded.last_opened_at, hidden = 0`,
      id,
      input.path,
      input.dev,
      input.ino,
      input.nowMs,
    );
    return {
      id: id as ProjectId,
      path: input.path,
      dev: input.dev,
      ino: input.ino,
      lastOpenedAtMs: input.nowMs,
      hidden: false,
    };
  });
}

/** See Store.relinkProject. */
export function relinkProject(
  database: StoreDatabase,
  input: { id: ProjectId; path: string; dev: string; ino: string; nowMs: number },
): { project: ProjectRow; merged: ProjectId[] } {
  return database.write(() => {
    if (getProject(database, input.id) === null) throw projectNotFound(input.id);
    const merged = database
      .all<{ id: string }>(
        'SELECT id FROM project WHERE ((dev = ? AND ino = ?) OR path = ?) AND id <> ?',
        input.dev,
        input.ino,
        input.path,
        input.id,
      )
      .map(({ id }) => id as ProjectId);
    for (const id of merged) {
      database.run('UPDATE session SET project_id = ? WHERE project_id = ?', input.id, id);
      database.run('DELETE FROM project WHERE id = ?', id);
    }
    return { project: openProject(database, input), merged };
  });
}

/** All projects that are not hidden, last opened first. */
export function listProjects(database: StoreDatabase): ProjectRow[] {
  return database
    .all<ProjectColumns>('SELECT * FROM project WHERE hidden = 0 ORDER BY last_opened_at DESC, id DESC')
    .map(toProjectRow);
}

/** One project, hidden or not, or null. */
export function getProject(database: StoreDatabase, id: ProjectId): ProjectRow | null {
  const row = database.get<ProjectColumns>('SELECT * FROM project WHERE id = ?', id);
  return row === undefined ? null : toProjectRow(row);
}
