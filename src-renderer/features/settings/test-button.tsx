// Sends one tiny request and says what came back, or the error that a chat would meet.
import { useState } from 'react';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { useClient } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './test-button.module.css';

export interface TestButtonProps {
  readonly model: string;
  readonly name: string;
}

interface Answer {
  readonly ok: boolean;
  readonly text: string;
}

export function TestButton({ model, name }: TestButtonProps) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const test = async (): Promise<void> => {
    setBusy(true);
    setAnswer(null);
    try {
      const { durationMs } = await client.models.test({ model });
      setAnswer({ ok: true, text: `Answers, in ${(durationMs / 1000).toFixed(1)} s` });
    } catch (caught) {
      setAnswer({ ok: false, text: wireErrorOf(caught).message });
    } finally {
      setBusy(false);
    }
  };
  return (
    <span className={styles['test']}>
      <span role="status" className={answer?.ok === false ? styles['bad'] : styles['good']}>
        {answer?.text}
      </span>
      <Button size="small" busy={busy} aria-label={`Test ${name}`} onClick={() => void test()}>
        {busy ? 'Testing…' : 'Test'}
      </Button>
    </span>
  );
}
