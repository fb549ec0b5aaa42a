// What new chats may do: each tool off, asking or allowed; rules; confinement; limits within their ceilings.
import { useApp } from '../../state/window-context.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { LimitsSection } from './limits-section.tsx';
import { RulesSection } from './rules-section.tsx';
import { Page, Section, SettingRow } from './section.tsx';
import { ToolsSection } from './tools-section.tsx';
import { useSave } from './use-save.ts';

export function PermissionsPage() {
  return (
    <Page title="Permissions">
      <ToolsSection />
      <ModeSection />
      <RulesSection />
      <LimitsSection />
    </Page>
  );
}

function ModeSection() {
  const settings = useApp((app) => app.settings);
  const confinement = useApp((app) => app.confinement);
  const { save, problem } = useSave();
  return (
    <Section title="New chats">
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      <SettingRow
        label="Begin in mode"
        hint="Plan only reads. Ask asks before each change and command. Auto lets confined ones run."
        control={() => (
          <Select
            label="Mode of new chats"
            align="end"
            value={settings.defaultMode}
            choices={[
              { value: 'plan', label: 'Plan', hint: 'Reads and proposes' },
              { value: 'ask', label: 'Ask', hint: 'Asks before changes' },
              { value: 'auto', label: 'Auto', hint: 'Runs what is confined' },
            ]}
            onChange={(defaultMode) => void save({ defaultMode })}
          />
        )}
      />
      <SettingRow
        label="When a command cannot be confined"
        hint="On a machine without a confinement, or where it fails."
        control={() => (
          <Select
            label="When a command cannot be confined"
            align="end"
            value={settings.unconfinable}
            choices={[
              { value: 'ask', label: 'Ask', hint: 'Each time' },
              { value: 'deny', label: 'Deny', hint: 'It never runs' },
            ]}
            onChange={(unconfinable) => void save({ unconfinable })}
          />
        )}
      />
      <SettingRow
        label="Confine commands"
        hint={
          confinement.available
            ? "Commands see the project's folder and nothing private, and have no network."
            : `This machine cannot confine commands, so each of them asks: ${confinement.reason}`
        }
        control={(id) => (
          <Switch labelledBy={id} checked={settings.confinement} onChange={(on) => void save({ confinement: on })} />
        )}
      />
      <SettingRow
        label="Find the tools of your login shell"
        hint="Started from the desktop, commands get the PATH that your shell has in a terminal. From the next start on."
        control={(id) => (
          <Switch
            labelledBy={id}
            checked={settings.loginShellPath}
            onChange={(loginShellPath) => void save({ loginShellPath })}
          />
        )}
      />
    </Section>
  );
}
