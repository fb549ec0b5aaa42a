// In the authority document: whether the project's instructions are used, and the way to change that.
import { useState } from 'react';
import type { ProjectId } from '../../../src-main/contract/ids.ts';
import { Button } from '../../ui/button.tsx';
import { InstructionsDialog } from './instructions-dialog.tsx';
import { FileNames } from './instructions-note.tsx';
import { useInstructions } from './use-instructions.ts';
import styles from './instructions.module.css';

const WORDS = { new: 'not used', changed: 'changed, not used', used: 'used', declined: 'not used' } as const;

export function InstructionsLine({ projectId }: { readonly projectId: ProjectId }) {
  const { found, decide } = useInstructions(projectId);
  const [open, setOpen] = useState(false);
  if (found === null) return null;
  return (
    <section aria-label="Instructions of the project">
      <h3 className={styles['title']}>Instructions of the project</h3>
      <p className={styles['words']}>
        <FileNames found={found} />: {WORDS[found.state]}.
      </p>
      <div className={styles['acts']}>
        <Button size="small" kind="quiet" onClick={() => setOpen(true)}>
          Read the instructions
        </Button>
      </div>
      {open && <InstructionsDialog found={found} decide={decide} onClose={() => setOpen(false)} />}
    </section>
  );
}
