// All of a project's instructions as they are, and whether its chats use them.
import { useState } from 'react';
import type { ProjectInstructions } from '../../../src-main/contract/instructions.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { LongText } from '../../ui/text/long-text.tsx';
import styles from './instructions-dialog.module.css';

export interface InstructionsDialogProps {
  readonly found: ProjectInstructions;
  readonly decide: (use: boolean) => Promise<string | null>;
  readonly onClose: () => void;
}

const STATE: Record<ProjectInstructions['state'], string> = {
  new: 'Nothing of this is used until you say so.',
  changed: 'They are not what you decided on before, so nothing of this is used until you say so.',
  used: 'The chats of this project use them.',
  declined: 'You decided not to use them.',
};

export function InstructionsDialog({ found, decide, onClose }: InstructionsDialogProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const answer = async (use: boolean): Promise<void> => {
    setBusy(true);
    const wrong = await decide(use);
    setBusy(false);
    setProblem(wrong);
    if (wrong === null) onClose();
  };
  return (
    <Dialog
      title="Instructions of this project"
      size="large"
      description={`Whoever wrote the project tells agents this. It is sent to the model with every message; it gives no permission. ${STATE[found.state]}`}
      onClose={onClose}
      footer={
        <>
          <Button kind="quiet" onClick={onClose}>
            Close
          </Button>
          {found.state !== 'declined' && (
            <Button disabled={busy} onClick={() => void answer(false)}>
              Do not use them
            </Button>
          )}
          {found.state !== 'used' && (
            <Button kind="primary" disabled={busy} onClick={() => void answer(true)}>
              Use them in this project
            </Button>
          )}
        </>
      }
    >
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      {found.files.map(({ name, text, cut }) => (
        <section key={name} className={styles['file']} aria-label={name}>
          <h3 className={styles['name']}>{name}</h3>
          <div className={styles['text']} tabIndex={0} role="region" aria-label={`Text of ${name}`}>
            <LongText text={text} label={`Text of ${name}`} verbatim />
          </div>
          {cut && <p className={styles['cut']}>The file goes on; what follows is not used.</p>}
        </section>
      ))}
    </Dialog>
  );
}
