// Each tool's permission for new chats, and the service that searches go to.
import { useState } from 'react';
import type { ToolPermission } from '../../../src-main/contract/settings.ts';
import { useApp } from '../../state/window-context.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Choice } from '../../ui/menu.tsx';
import { Section, SettingRow } from './section.tsx';
import { useSave } from './use-save.ts';

const hints: Readonly<Record<string, string>> = {
  read: 'Inside the folder it runs. Likely secrets and anything outside ask each time.',
  write: 'Inside the folder. Protected files and anything outside ask each time.',
  command: 'What cannot be confined, or wants the network, asks each time.',
  network: 'Asks each time, with the address in full.',
  clock: 'Date, time and time zone.',
};

/** `allow` turns "asks" into "runs": there is nothing to turn for what runs anyway or must always ask. */
function choicesOf(toolClass: string): Choice<ToolPermission>[] {
  const runsAnyway = toolClass === 'read' || toolClass === 'clock';
  const ask: Choice<ToolPermission> = { value: 'ask', label: runsAnyway ? 'On' : 'Ask' };
  const allow: Choice<ToolPermission> = { value: 'allow', label: 'Allow', hint: 'Runs where it would ask' };
  const off: Choice<ToolPermission> = { value: 'off', label: 'Off' };
  return runsAnyway || toolClass === 'network' ? [ask, off] : [ask, allow, off];
}

export function ToolsSection() {
  const tools = useApp((app) => app.toolNames);
  const permissions = useApp((app) => app.settings.tools);
  const searchUrl = useApp((app) => app.settings.searchUrl);
  const [address, setAddress] = useState(searchUrl);
  const { save, problem } = useSave();
  return (
    <Section
      title="Tools"
      about="Less holds at once, in open chats too. More holds in new chats; an open chat shows the difference and asks you to take it over."
    >
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      {tools.map((tool) => (
        <SettingRow
          key={tool.name}
          label={tool.title}
          hint={hints[tool.class]}
          control={() => (
            <Select
              label={tool.title}
              align="end"
              value={permissions[tool.name] ?? tool.default}
              choices={choicesOf(tool.class)}
              onChange={(permission) => void save({ tools: { ...permissions, [tool.name]: permission } })}
            />
          )}
        />
      ))}
      <SettingRow
        label="Search service"
        hint="The address of a SearXNG that web searches go to. Without one, chats have no search tool."
        control={() => (
          <TextInput
            mono
            aria-label="Address of the search service"
            placeholder="https://search.example.org"
            value={address}
            onChange={setAddress}
            onEnter={() => void save({ searchUrl: address.trim() })}
            onBlur={() => {
              if (address.trim() !== searchUrl) void save({ searchUrl: address.trim() });
            }}
          />
        )}
      />
    </Section>
  );
}
