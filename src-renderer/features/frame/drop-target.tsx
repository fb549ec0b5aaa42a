// A folder dropped anywhere on the window opens as a project. Everything else that is dropped goes to whoever takes it.
import { useState, type DragEvent, type ReactNode } from 'react';
import { FolderOpen } from 'lucide-react';
import { useActs, useClient } from '../../state/window-context.tsx';
import styles from './drop-target.module.css';

export interface DropTargetProps {
  readonly children: ReactNode;
}

export function DropTarget({ children }: DropTargetProps) {
  const client = useClient();
  const { openFolder, notify } = useActs();
  const [over, setOver] = useState(false);

  const drop = async (file: File): Promise<void> => {
    const path = await client.pathForFile(file);
    const problem =
      path === '' ? 'The system did not say where that folder is. Open it with Ctrl+O.' : await openFolder(path);
    if (problem !== null) notify('error', problem);
  };
  const hover = (event: DragEvent): void => {
    if (!mayBeFolder(event) || event.defaultPrevented) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      className={styles['target']}
      onDragOver={hover}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        const folder = droppedFolder(event);
        if (!folder || event.defaultPrevented) return;
        event.preventDefault();
        void drop(folder);
      }}
    >
      {children}
      {over && (
        <div className={styles['hint']}>
          <FolderOpen size={28} aria-hidden="true" />
          Drop a folder to open it as a project
        </div>
      )}
    </div>
  );
}

/** While something is dragged its kind is all that can be known: a folder has no type. */
function mayBeFolder(event: DragEvent): boolean {
  return [...event.dataTransfer.items].some((item) => item.kind === 'file' && item.type === '');
}

function droppedFolder(event: DragEvent): File | null {
  for (const item of event.dataTransfer.items) {
    if (item.kind === 'file' && item.webkitGetAsEntry()?.isDirectory === true) return item.getAsFile();
  }
  return null;
}
