// The settings: four pages. Each change is saved at once; what main refuses is told where the change was made.
import { X } from 'lucide-react';
import type { SettingsPage } from '../../state/layout-store.ts';
import { useLayout, useLayoutStore } from '../../state/window-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AppearancePage } from './appearance-page.tsx';
import { DataPage } from './data-page.tsx';
import { ModelsPage } from './models-page.tsx';
import { PermissionsPage } from './permissions-page.tsx';
import styles from './settings-screen.module.css';

export function SettingsScreen() {
  const page = useLayout((state) => state.settingsPage);
  const layout = useLayoutStore();
  return (
    <div className={styles['screen']}>
      <header className={styles['head']}>
        <h1>Settings</h1>
        <IconButton
          label="Close settings"
          shortcut="Esc"
          icon={<X size={16} aria-hidden="true" />}
          onClick={() => layout.showChat()}
        />
      </header>
      <div className={styles['pages']}>
        <Tabs<SettingsPage>
          label="Settings"
          vertical
          value={page}
          onChange={(chosen) => layout.showSettings(chosen)}
          tabs={[
            { value: 'models', label: 'Models and keys', content: <ModelsPage /> },
            { value: 'permissions', label: 'Permissions', content: <PermissionsPage /> },
            { value: 'appearance', label: 'Appearance', content: <AppearancePage /> },
            { value: 'data', label: 'Data', content: <DataPage /> },
          ]}
        />
      </div>
    </div>
  );
}
