// Asks before an address is opened outside, and shows all of it: host first, invisible characters made visible.
import { useState } from 'react';
import { useActs, useClient, useLayoutStore } from '../../state/window-context.tsx';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { VisibleText } from '../../ui/verbatim/verbatim.tsx';
import styles from './external-link.module.css';

export interface ExternalLinkProps {
  readonly url: string;
}

export function ExternalLink({ url }: ExternalLinkProps) {
  const client = useClient();
  const layout = useLayoutStore();
  const { copyText } = useActs();
  const [problem, setProblem] = useState<string | null>(null);
  const host = URL.canParse(url) ? new URL(url).host : '';
  const open = async (): Promise<void> => {
    try {
      await client.app.openExternal({ url });
      layout.closeDialog();
    } catch (caught) {
      setProblem(wireErrorOf(caught).message);
    }
  };
  return (
    <Dialog
      title="Open this address outside?"
      description={host === '' ? 'It opens in the program that your system chooses.' : `It leads to ${host}.`}
      onClose={() => layout.closeDialog()}
      footer={
        <>
          <Button kind="quiet" onClick={() => layout.closeDialog()}>
            Cancel
          </Button>
          <Button onClick={() => void copyText(url).then(() => layout.closeDialog())}>Copy the address</Button>
          <Button kind="primary" onClick={() => void open()}>
            Open
          </Button>
        </>
      }
    >
      <div className={styles['address']}>
        <VisibleText text={url} oneLine />
      </div>
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
    </Dialog>
  );
}
