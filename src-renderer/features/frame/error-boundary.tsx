// The last net: a fault of the window itself shows what happened and how to go on, never a blank page.
// What is saved lies in main; reloading loses nothing but half-typed words of the last half second.
import { Component, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import styles from './start-screen.module.css';

interface ErrorBoundaryState {
  readonly problem: string | null;
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { problem: null };

  static getDerivedStateFromError(thrown: unknown): ErrorBoundaryState {
    return { problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === null) return this.props.children;
    return (
      <main className={styles['screen']}>
        <h1 className={styles['brand']}>This window has a fault</h1>
        <div className={styles['note']}>
          <ErrorNote actions={<Button onClick={() => location.reload()}>Reload the window</Button>}>
            Your chats are safe, and what runs goes on. Reload the window to continue. The fault was: {problem}
          </ErrorNote>
        </div>
      </main>
    );
  }
}
