// Asks how far to go back: in the chat, in the files, or in both, and shows which files that is about before anything
// happens.
import { useState } from 'react';
import type { ReactElement } from 'react';
import type { RestorePlan } from '../../../src-main/contract/checkpoints.ts';
import type { WireError } from '../../../src-main/contract/errors.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { moveChat, type GoBack } from '../../state/go-back.ts';
import { useActs, useClient, useLayoutStore } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { countFiles, describeResult } from './describe-file.ts';
import { FileChoices, firstChoice } from './file-choices.tsx';
import styles from './checkpoints.module.css';

type Part = 'both' | 'chat' | 'files';

const PARTS: readonly { readonly part: Part; readonly label: string; readonly hint: string }[] = [
  { part: 'both', label: 'Chat and files', hint: 'What came after is kept as a branch; files are put back.' },
  { part: 'chat', label: 'Chat only', hint: 'Files stay as they are.' },
  { part: 'files', label: 'Files only', hint: 'The chat stays where it is.' },
];

export interface GoBackDialogProps {
  readonly to: GoBack;
  readonly plan: RestorePlan;
}

/** See the file's header. */
export function GoBackDialog({ to, plan }: GoBackDialogProps): ReactElement {
  const client = useClient();
  const layout = useLayoutStore();
  const { notify } = useActs();
  const restorable = plan.problem === null && plan.files.some((file) => file.blocked === null);
  const [part, setPart] = useState<Part>(restorable ? 'both' : 'chat');
  const [chosen, setChosen] = useState(() => firstChoice(plan.files, true));
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<WireError | null>(null);
  const withFiles = part !== 'chat';
  const act = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      if (withFiles) {
        const { sessionId, entryId } = to;
        const scope = { type: 'before', entryId } as const;
        const result = await client.checkpoints.restore({ sessionId, scope, shown: plan.shown, paths: [...chosen] });
        const { level, message } = describeResult(result);
        notify(level, message);
      }
      if (part !== 'files') await moveChat(client, to);
      layout.closeDialog();
    } catch (caught) {
      setFailure(wireErrorOf(caught));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={to.turnSeq === null ? 'Go back to before this message' : 'Go back to this turn'}
      {...(restorable
        ? { description: 'A checkpoint of the files as they are now is made before any is put back.' }
        : {})}
      onClose={layout.closeDialog}
      footer={
        <>
          <Button onClick={layout.closeDialog}>Cancel</Button>
          <Button kind="primary" busy={busy} disabled={withFiles && chosen.size === 0} onClick={() => void act()}>
            {withFiles ? `Go back, and put ${countFiles(chosen.size)} back` : 'Go back'}
          </Button>
        </>
      }
    >
      {failure !== null && <ErrorNote>{failure.message}</ErrorNote>}
      {(plan.problem !== null || plan.notes.length > 0) && (
        <ul className={styles['notes']} aria-label="What cannot go back">
          {(plan.notes.length > 0 ? plan.notes : [plan.problem ?? '']).map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <fieldset className={styles['parts']}>
        <legend className={styles['hidden']}>What goes back</legend>
        {PARTS.map((one) => (
          <label key={one.part} className={styles['part']}>
            <input
              type="radio"
              name="part"
              checked={part === one.part}
              disabled={one.part !== 'chat' && !restorable}
              onChange={() => setPart(one.part)}
            />
            <span>
              <b>{one.label}</b>
              <span className={styles['what']}>{one.hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {withFiles && <FileChoices files={plan.files} chosen={chosen} onChoose={setChosen} />}
    </Dialog>
  );
}
