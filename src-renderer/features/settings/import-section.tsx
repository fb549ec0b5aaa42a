// Import of a chat from a file: a session of Claude Code or Codex, or an export, as a new chat of the present project.
import { useState } from 'react';
import type { ReactElement } from 'react';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { describeImport } from '../../state/describe-import.ts';
import { useActs, useAppStore, useClient } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Section } from './section.tsx';
import styles from './data-page.module.css';

export function ImportSection(): ReactElement {
  const client = useClient();
  const { notify, showSession } = useActs();
  const projectId = useAppStore((state) => state.projectId);
  const [path, setPath] = useState('');
  const [running, setRunning] = useState<string | null>(null);
  const part = useAppStore((state) => (running === null ? null : (state.imports[running] ?? 0)));
  const [problem, setProblem] = useState<string | null>(null);
  const start = async (): Promise<void> => {
    if (projectId === null || path.trim() === '') return;
    const importId = crypto.randomUUID();
    setProblem(null);
    setRunning(importId);
    try {
      const { session, report } = await client.sessions.importChat({ projectId, path: path.trim(), importId });
      setPath('');
      notify('info', `Imported ${describeImport(report)}`);
      await showSession(session.id);
    } catch (caught) {
      setProblem(wireErrorOf(caught).message);
    } finally {
      setRunning(null);
    }
  };
  return (
    <Section
      title="Import a chat"
      about="A session file of Claude Code (~/.claude/projects) or Codex (~/.codex/sessions), or a chat exported here. It becomes a new chat of the project that is shown, and can be gone on with."
    >
      <div className={styles['folder']}>
        <TextInput
          aria-label="Path of the file"
          placeholder="/path/of/the/file.jsonl"
          value={path}
          onChange={setPath}
          onEnter={() => void start()}
        />
        <Button
          size="small"
          disabled={projectId === null || path.trim() === '' || running !== null}
          onClick={() => void start()}
        >
          Import
        </Button>
      </div>
      {running !== null && (
        <div className={styles['folder']}>
          <progress aria-label="How much is imported" max={1} value={part ?? 0} />
          <Button size="small" onClick={() => void client.sessions.stopImport({ importId: running })}>
            Stop
          </Button>
        </div>
      )}
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
    </Section>
  );
}
