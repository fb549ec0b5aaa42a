// All shortcuts on one sheet.
import { LOCAL_SHORTCUTS, SHORTCUTS, type Shortcut } from '../../state/shortcuts.ts';
import { useApp, useLayoutStore } from '../../state/window-context.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import styles from './help-sheet.module.css';

const everywhere: readonly Shortcut[] = [...Object.values(SHORTCUTS), { keys: '?', does: 'This sheet' }];

export function HelpSheet() {
  const layout = useLayoutStore();
  const version = useApp((app) => app.version);
  const runtime = useApp((app) => app.runtime);
  return (
    <Dialog title="Keyboard" size="large" onClose={() => layout.closeDialog()}>
      <div className={styles['groups']}>
        <Group title="Everywhere" shortcuts={everywhere} />
        {LOCAL_SHORTCUTS.map((group) => (
          <Group key={group.title} {...group} />
        ))}
      </div>
      <p className={styles['about']}>
        Warrant {version} on {runtime}
      </p>
    </Dialog>
  );
}

interface GroupProps {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

function Group({ title, shortcuts }: GroupProps) {
  return (
    <section className={styles['group']}>
      <h3 className={styles['title']}>{title}</h3>
      <dl>
        {shortcuts.map(({ keys, does }) => (
          <div key={keys} className={styles['row']}>
            <dt>{does}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
