// How chats are kept: saved or in memory alone, who gives titles, whether they branch.
import type { ReactElement } from 'react';
import { useApp } from '../../state/window-context.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Section, SettingRow } from './section.tsx';
import { useSave } from './use-save.ts';

const SWITCHES = [
  {
    name: 'saveChats',
    label: 'Save new chats',
    hint: 'Off, a new chat is kept in memory alone: nothing of it is written anywhere, and it is gone when Warrant closes.',
  },
  {
    name: 'branches',
    label: 'Chats branch',
    hint: 'Off, a chat is one line. Branches that are there are kept, and shown again when this is on.',
  },
  {
    name: 'checkpoints',
    label: 'Keep files before a turn changes them',
    hint: 'What a turn changes, by tools or by commands, can then be put back. Off, this holds for chats opened from now on.',
  },
  {
    name: 'automaticCompaction',
    label: 'Make room as the window fills',
    hint: 'At four fifths of the model’s window older parts are set aside for the model. The chat keeps everything, and each part can be sent again.',
  },
  {
    name: 'modelSummaries',
    label: 'Summaries by the model',
    hint: 'What is set aside is then told in a summary that the model writes: one request more each time. Off, the program lists it.',
  },
  {
    name: 'contextGuard',
    label: 'Hold back what does not fit',
    hint: 'A request larger than the model’s window is not sent, and says so. Off, the service decides.',
  },
  {
    name: 'automaticTitles',
    label: 'Titles by the model',
    hint: 'After its first answer a chat asks its model for a title: one small request more.',
  },
] as const;

export function ChatsSection(): ReactElement {
  const settings = useApp((app) => app.settings);
  const { save, problem } = useSave();
  return (
    <Section title="Chats">
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      {SWITCHES.map(({ name, label, hint }) => (
        <SettingRow
          key={name}
          label={label}
          hint={hint}
          control={(id) => (
            <Switch labelledBy={id} checked={settings[name]} onChange={(on) => void save({ [name]: on })} />
          )}
        />
      ))}
    </Section>
  );
}
