// The window's three columns: chats, the page, the panel. Too narrow for three, the panel lies over the page.
import { useEffect, type ReactNode } from 'react';
import { classes } from '../../ui/classes.ts';
import { useLayout, useLayoutStore } from '../../state/window-context.tsx';
import { Resizer } from './resizer.tsx';
import styles from './frame.module.css';

export interface FrameProps {
  readonly sideBar: ReactNode;
  readonly notices: ReactNode;
  /** null = this screen has none. */
  readonly panel: ReactNode | null;
  readonly children: ReactNode;
}

const NARROW = '(max-width: 1099px)';

export function Frame({ sideBar, notices, panel, children }: FrameProps) {
  const layout = useLayoutStore();
  const { sideBar: showSide, sideBarWidth, panel: panelWanted, panelWidth, narrow } = useLayout((state) => state);
  const showPanel = panel !== null && panelWanted;
  useEffect(() => {
    const query = matchMedia(NARROW);
    const follow = (): void => layout.setNarrow(query.matches);
    follow();
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [layout]);
  return (
    <div className={styles['frame']}>
      {showSide && (
        <section aria-label="Side bar" className={styles['side']} style={{ width: sideBarWidth }}>
          {sideBar}
          <Resizer part="sideBarWidth" label="Width of the chats" edge="right" />
        </section>
      )}
      <main className={styles['main']}>
        {notices}
        <div className={styles['page']}>{children}</div>
      </main>
      {showPanel && narrow && (
        <div className={styles['scrim']} onClick={() => layout.togglePanel()} aria-hidden="true" />
      )}
      {showPanel && (
        <aside
          className={classes(styles['panel'], narrow && styles['over'])}
          style={{ width: panelWidth }}
          aria-label="Authority, changes and ledger"
        >
          <Resizer part="panelWidth" label="Width of the panel" edge="left" />
          {panel}
        </aside>
      )}
    </div>
  );
}
