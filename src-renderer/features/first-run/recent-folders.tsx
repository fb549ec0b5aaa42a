// Folders that were opened before, newest first.
import { Folder } from 'lucide-react';
import { useActs, useApp } from '../../state/window-context.tsx';
import styles from './first-run.module.css';

const SHOWN = 5;

export function RecentFolders() {
  const projects = useApp((app) => app.projects);
  const { showProject } = useActs();
  const recent = projects.filter((project) => project.present).toSorted((a, b) => b.lastOpenedAtMs - a.lastOpenedAtMs);
  if (recent.length === 0) return null;
  return (
    <section aria-labelledby="recent-folders">
      <h2 id="recent-folders" className={styles['heading']}>
        Recent folders
      </h2>
      <ul>
        {recent.slice(0, SHOWN).map((project) => (
          <li key={project.id}>
            <button type="button" className={styles['recent']} onClick={() => void showProject(project.id)}>
              <Folder size={16} aria-hidden="true" />
              <strong>{project.name}</strong>
              <bdi>{project.shownPath}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
