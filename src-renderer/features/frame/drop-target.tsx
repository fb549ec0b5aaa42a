// What is dropped anywhere on the window: a folder opens as a project, files go to the composer that is shown.
import { useState, type DragEvent, type ReactNode } from 'react';
import { FolderOpen } from 'lucide-react';
import { useActs, useClient, useWindow } from '../../state/window-context.tsx';
import styles from './drop-target.module.css';

export interface DropTargetProps {
  readonly children: ReactNode;
}

export function DropTarget({ children }: DropTargetProps) {
  const client = useClient();
  const { openFolder, notify } = useActs();
  const { drops } = useWindow();
  const [over, setOver] = useState(false);

  const drop = async (file: File): Promise<void> => {
    const path = await client.pathForFile(file);
    const problem =
      path === '' ? 'The system did not say where that folder is. Open it with Ctrl+O.' : await openFolder(path);
    if (problem !== null) notify('error', problem);
  };
  const hover = (event: DragEvent): void => {
    if (!hasFiles(event) || event.defaultPrevented) return;
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
        const files = [...event.dataTransfer.files];
        if (event.defaultPrevented || files.length === 0) return;
        event.preventDefault();
        if (folder) void drop(folder);
        else if (!drops.give(files)) notify('error', 'Nothing was attached: open a chat first, then drop files on it.');
      }}
    >
      {children}
      {over && (
        <div className={styles['hint']}>
          <FolderOpen size={28} aria-hidden="true" />
          Drop text files to attach them, or a folder to open it as a project
        </div>
      )}
    </div>
  );
}

function hasFiles(event: DragEvent): boolean {
  return [...event.dataTransfer.items].some((item) => item.kind === 'file');
}

function droppedFolder(event: DragEvent): File | null {
  for (const item of event.dataTransfer.items) {
    if (item.kind === 'file' && item.webkitGetAsEntry()?.isDirectory === true) return item.getAsFile();
  }
  return null;
}
