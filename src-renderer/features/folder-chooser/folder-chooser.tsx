// The window's own folder dialog, for systems that have none: type a path, or walk through folders.
import { useEffect, useRef, useState } from 'react';
import { ArrowUp, Folder, FolderGit2 } from 'lucide-react';
import type { FolderListing } from '../../../src-main/contract/api.ts';
import type { ProjectId } from '../../../src-main/contract/ids.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { useActs, useApp, useClient, useLayoutStore } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextInput } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './folder-chooser.module.css';

export interface FolderChooserProps {
  /** The project whose folder is asked for; null = a folder to open. */
  readonly relink: ProjectId | null;
}

export function FolderChooser({ relink }: FolderChooserProps) {
  const client = useClient();
  const layout = useLayoutStore();
  const { openFolder, relinkProject } = useActs();
  const project = useApp((app) => app.projects.find(({ id }) => id === relink));
  const home = useApp((app) => app.home);
  const [listing, setListing] = useState<FolderListing | null>(null);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const go = async (path: string | null): Promise<void> => {
    setProblem(null);
    setBusy(true);
    try {
      const found = await client.app.listFolders(path === null ? {} : { path });
      setListing(found);
      setTyped(found.path);
    } catch (caught) {
      setProblem(wireErrorOf(caught).message);
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    void go(null);
    // Once, as it opens.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const target = expandHome(typed, home);
  const open = async (): Promise<void> => {
    setBusy(true);
    const failed = await (relink === null ? openFolder(target) : relinkProject(relink, target));
    setBusy(false);
    if (failed === null) layout.closeDialog();
    else setProblem(failed);
  };
  const typedElsewhere = listing !== null && typed.trim() !== listing.path;
  return (
    <Dialog
      title={relink === null ? 'Open folder' : `Where is ${project?.name ?? 'the folder'} now?`}
      description={
        relink === null
          ? 'Warrant works inside the folder that you open, and asks before anything outside of it.'
          : `It was ${project?.shownPath ?? 'elsewhere'}. Its chats go on in the folder that you choose.`
      }
      onClose={() => layout.closeDialog()}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        field.current?.focus();
      }}
      footer={
        <>
          <Button kind="quiet" onClick={() => layout.closeDialog()}>
            Cancel
          </Button>
          <Button kind="primary" busy={busy} disabled={target === ''} onClick={() => void open()}>
            {relink === null ? 'Open' : 'It is'} {lastPart(target)}
          </Button>
        </>
      }
    >
      <div className={styles['path']}>
        <IconButton
          label="Parent folder"
          icon={<ArrowUp size={16} aria-hidden="true" />}
          disabled={listing?.parent == null}
          onClick={() => void go(listing?.parent ?? null)}
        />
        <TextInput
          ref={field}
          aria-label="Path of the folder"
          mono
          value={typed}
          onChange={setTyped}
          onEnter={() => void (typedElsewhere ? go(target) : open())}
        />
        {typedElsewhere && <Button onClick={() => void go(target)}>Look</Button>}
      </div>
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      <FolderList listing={listing} onGo={(path) => void go(path)} />
    </Dialog>
  );
}

interface FolderListProps {
  readonly listing: FolderListing | null;
  readonly onGo: (path: string) => void;
}

function FolderList({ listing, onGo }: FolderListProps) {
  if (!listing) return <Spinner label="Reading the folder" withText />;
  return (
    <ul className={styles['list']} aria-label={`Folders in ${listing.path}`}>
      {listing.folders.map((folder) => (
        <li key={folder.path}>
          <button type="button" className={styles['folder']} onClick={() => onGo(folder.path)}>
            {folder.project ? <FolderGit2 size={16} aria-hidden="true" /> : <Folder size={16} aria-hidden="true" />}
            <bdi>{folder.name}</bdi>
            {folder.project && <small>looks like a project</small>}
          </button>
        </li>
      ))}
      {listing.folders.length === 0 && <li className={styles['none']}>No folders in here. You can open this one.</li>}
      {listing.truncated && <li className={styles['none']}>There are more: type the name to go there.</li>}
    </ul>
  );
}

/** `~/shop` -> the home folder's shop. */
function expandHome(typed: string, home: string): string {
  const path = typed.trim();
  return path === '~' || path.startsWith('~/') ? home + path.slice(1) : path;
}

function lastPart(path: string): string {
  const name = path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
  return name.length > 28 ? `${name.slice(0, 27)}…` : name;
}
