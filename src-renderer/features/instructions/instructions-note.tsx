// Says that the project has instructions for agents which nobody decided on, and leads to them.
import { useState } from 'react';
import type { ProjectId } from '../../../src-main/contract/ids.ts';
import type { ProjectInstructions } from '../../../src-main/contract/instructions.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { InlineCode } from '../../ui/verbatim/verbatim.tsx';
import { InstructionsDialog } from './instructions-dialog.tsx';
import { useInstructions } from './use-instructions.ts';
import styles from './instructions.module.css';

/** The names of the files, joined by words. */
export function FileNames({ found }: { readonly found: ProjectInstructions }) {
  return found.files.map(({ name }, index) => (
    <span key={name}>
      {index > 0 && ' and '}
      <InlineCode text={name} />
    </span>
  ));
}

export function InstructionsNote({ projectId }: { readonly projectId: ProjectId }) {
  const { found, decide } = useInstructions(projectId);
  const [open, setOpen] = useState(false);
  const asks = found !== null && (found.state === 'new' || found.state === 'changed');
  if (!asks && !open) return null;
  if (found === null) return null;
  return (
    <>
      {asks && (
        <div className={styles['bar']}>
          <ErrorNote
            level="info"
            actions={
              <Button size="small" onClick={() => setOpen(true)}>
                Read them
              </Button>
            }
          >
            {found.state === 'new' ? 'This project has instructions for agents in ' : 'This project changed '}
            <FileNames found={found} />
            {found.state === 'new'
              ? '. They are not used until you have read them.'
              : '. The new text is not used until you have read it.'}
          </ErrorNote>
        </div>
      )}
      {open && <InstructionsDialog found={found} decide={decide} onClose={() => setOpen(false)} />}
    </>
  );
}
