// What stands before the app has answered, and when it could not: never a blank window.
import { useActs, useAppStore } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Seal } from '../../ui/seal.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './start-screen.module.css';

export function StartScreen() {
  const error = useAppStore((state) => state.error);
  const { start } = useActs();
  return (
    <main className={styles['screen']}>
      <h1 className={styles['brand']}>
        <Seal size={28} />
        Warrant
      </h1>
      {error === null ? (
        <Spinner label="Reading your chats" withText />
      ) : (
        <div className={styles['note']}>
          <ErrorNote actions={<Button onClick={() => void start()}>Try again</Button>}>{error.message}</ErrorNote>
        </div>
      )}
    </main>
  );
}
