// The first screen: what Warrant is in three sentences, a folder to open, and who will answer.
import { BookOpen, Cpu, FolderOpen, KeyRound } from 'lucide-react';
import { SHORTCUTS } from '../../state/shortcuts.ts';
import { useActs, useApp, useLayoutStore } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Seal } from '../../ui/seal.tsx';
import { RecentFolders } from './recent-folders.tsx';
import styles from './first-run.module.css';

export function FirstRun() {
  const { chooseFolder } = useActs();
  return (
    <div className={styles['scroll']}>
      <div className={styles['page']}>
        <h1 className={styles['brand']}>
          <Seal size={30} />
          Warrant
        </h1>
        <p className={styles['about']}>
          Warrant works on a folder of yours: it reads, searches, edits and runs commands while you chat with a model of
          your choice. Nothing happens without a warrant: you see what a chat may do before it starts, and whatever goes
          further asks you first. A ledger keeps who or what allowed every action.
        </p>
        <div className={styles['actions']}>
          <Button
            kind="primary"
            icon={<FolderOpen size={16} aria-hidden="true" />}
            onClick={() => void chooseFolder()}
            autoFocus
          >
            Open folder…
          </Button>
          <span className={styles['drop']}>
            {SHORTCUTS['open-folder'].keys.replace('+', ' ')}, or drop a folder anywhere on this window
          </span>
        </div>
        <RecentFolders />
        <Answerers />
      </div>
    </div>
  );
}

/** Who answers: local models that were found, the guide, and the way to others. */
function Answerers() {
  const models = useApp((app) => app.models);
  const layout = useLayoutStore();
  const local = models.filter((model) => model.local && model.wire !== 'guide');
  const others = models.filter((model) => !model.local);
  return (
    <section className={styles['answerers']} aria-labelledby="who-answers">
      <h2 id="who-answers" className={styles['heading']}>
        Who answers
      </h2>
      <ul className={styles['list']}>
        {local.map((model) => (
          <li key={model.ref} className={styles['row']}>
            <Cpu size={16} aria-hidden="true" />
            <span>
              <strong>{model.name}</strong>
              <small>{model.origin}. Found running; nothing leaves this machine.</small>
            </span>
          </li>
        ))}
        {others.length > 0 && (
          <li className={styles['row']}>
            <KeyRound size={16} aria-hidden="true" />
            <span>
              <strong>{others.map((model) => model.name).join(', ')}</strong>
              <small>Set up in Settings.</small>
            </span>
          </li>
        )}
        <li className={styles['row']}>
          <BookOpen size={16} aria-hidden="true" />
          <span>
            <strong>The guide</strong>
            <small>
              Built in, no key and no network needed. It is not a language model: it understands a few requests, such as
              “summarise this project” or “find TODO”, and carries them out through the same checks.
            </small>
          </span>
        </li>
      </ul>
      <p className={styles['more']}>
        {local.length === 0 && 'No model server was found on this machine. '}
        <button type="button" className={styles['link']} onClick={() => layout.showSettings('models')}>
          Set up another model
        </button>
        {' with a key, or start Ollama, LM Studio or llama.cpp.'}
      </p>
    </section>
  );
}
