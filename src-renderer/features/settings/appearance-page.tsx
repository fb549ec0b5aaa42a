// Appearance and small habits of the window.
import { useApp } from '../../state/window-context.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Page, Section, SettingRow } from './section.tsx';
import { useSave } from './use-save.ts';
import styles from './appearance-page.module.css';

const SIZES = ['13', '14', '15', '16', '17', '18', '20'] as const;

export function AppearancePage() {
  const settings = useApp((app) => app.settings);
  const { save, problem } = useSave();
  const size = SIZES.find((one) => Number(one) === settings.textSize) ?? '15';
  return (
    <Page title="Appearance">
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      <Section title="Appearance">
        <SettingRow
          label="Theme"
          control={() => (
            <Select
              label="Theme"
              align="end"
              value={settings.theme}
              choices={[
                { value: 'system', label: 'As the system' },
                { value: 'light', label: 'Light' },
                { value: 'dark', label: 'Dark' },
              ]}
              onChange={(theme) => void save({ theme })}
            />
          )}
        />
        <SettingRow
          label="Reading size"
          hint="Of messages and answers."
          control={() => (
            <Select
              label="Reading size"
              align="end"
              value={size}
              choices={SIZES.map((value) => ({ value, label: `${value} px` }))}
              onChange={(value) => void save({ textSize: Number(value) })}
            />
          )}
        />
        <p className={styles['sample']}>
          Answers are set like this. A tool call is one quiet line, and opens where it stands.
        </p>
      </Section>
      <Section title="Habits">
        <SettingRow
          label="Tell me when a chat waits and this window is not in front"
          control={(id) => (
            <Switch
              labelledBy={id}
              checked={settings.notifications}
              onChange={(notifications) => void save({ notifications })}
            />
          )}
        />
        <SettingRow
          label="Shift Tab changes the mode"
          hint="While you write. Off, it moves the focus back as everywhere."
          control={(id) => (
            <Switch
              labelledBy={id}
              checked={settings.shiftTabCyclesModes}
              onChange={(shiftTabCyclesModes) => void save({ shiftTabCyclesModes })}
            />
          )}
        />
      </Section>
    </Page>
  );
}
