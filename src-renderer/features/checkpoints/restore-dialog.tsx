// Shows which files would be put back and how, and puts the chosen ones back. A checkpoint of how they are is made first.
import { useCallback, useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import type { RestorePlan, RestoreScope } from '../../../src-main/contract/checkpoints.ts';
import type { WireError } from '../../../src-main/contract/errors.ts';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { useFetched } from '../../state/use-fetched.ts';
import { useActs, useClient, useLayoutStore } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { countFiles, describeResult } from './describe-file.ts';
import { FileChoices, firstChoice } from './file-choices.tsx';
import styles from './checkpoints.module.css';

export interface RestoreDialogProps {
  readonly sessionId: SessionId;
  readonly scope: RestoreScope;
  readonly title: string;
}

/** See the file's header. */
export function RestoreDialog({ sessionId, scope, title }: RestoreDialogProps): ReactElement {
  const client = useClient();
  const layout = useLayoutStore();
  const { notify } = useActs();
  const load = useCallback(() => client.checkpoints.plan({ sessionId, scope }), [client, sessionId, scope]);
  const { value: plan, error, retry } = useFetched(load, 0);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<WireError | null>(null);
  useEffect(() => {
    if (plan) setChosen(firstChoice(plan.files, scope.type !== 'turn'));
  }, [plan, scope]);
  const restore = async (shown: RestorePlan): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const result = await client.checkpoints.restore({ sessionId, scope, shown: shown.shown, paths: [...chosen] });
      const { level, message } = describeResult(result);
      notify(level, message);
      layout.closeDialog();
    } catch (caught) {
      setFailure(wireErrorOf(caught));
      setBusy(false);
    }
  };
  const problem = failure ?? error;
  return (
    <Dialog
      title={title}
      description="A checkpoint of the files as they are now is made first, so this can be taken back too."
      onClose={layout.closeDialog}
      footer={
        <>
          <Button onClick={layout.closeDialog}>Cancel</Button>
          <Button
            kind="primary"
            busy={busy}
            disabled={plan === null || chosen.size === 0}
            onClick={() => plan && void restore(plan)}
          >
            Put {countFiles(chosen.size)} back
          </Button>
        </>
      }
    >
      {problem !== null && (
        <ErrorNote
          actions={
            <Button size="small" onClick={retry}>
              Look again
            </Button>
          }
        >
          {problem.message}
        </ErrorNote>
      )}
      {plan === null && error === null && <Spinner label="Comparing the files" withText />}
      {plan !== null && plan.files.length === 0 && (
        <p className={styles['what']}>Nothing differs: the files are already as they were.</p>
      )}
      {plan !== null && plan.files.length > 0 && (
        <FileChoices
          files={plan.files}
          chosen={chosen}
          onChoose={setChosen}
          by={scope.type === 'since' ? 'these turns' : 'this turn'}
        />
      )}
    </Dialog>
  );
}
