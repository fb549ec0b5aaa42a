// Stored rules: a tool, or one exact command, that is allowed, asked for or denied.
import { useState } from 'react';
import { Trash2 } from 'lucide-react';
import type { Rule } from '../../../src-main/contract/settings.ts';
import { useApp } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextInput } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { VisibleText } from '../../ui/verbatim/verbatim.tsx';
import { Section } from './section.tsx';
import { useSave } from './use-save.ts';
import styles from './rules-section.module.css';

const EFFECTS = [
  { value: 'allow', label: 'Allow', hint: 'Runs where it would ask' },
  { value: 'ask', label: 'Ask', hint: 'Asks where it would run' },
  { value: 'deny', label: 'Deny', hint: 'Never runs' },
] as const;

export function RulesSection() {
  const rules = useApp((app) => app.settings.rules);
  const { save, problem } = useSave();
  return (
    <Section
      title="Rules"
      about="A rule is about one tool, or one exact command. Deny ends every question. No rule can allow what must ask each time: secrets, protected files, the network, anything outside the folder."
    >
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      {rules.length > 0 && (
        <ul className={styles['rules']}>
          {rules.map((rule) => (
            <li key={rule.id} className={styles['rule']}>
              <Select
                label={`What happens to ${rule.match}`}
                value={rule.effect}
                choices={EFFECTS}
                onChange={(effect) =>
                  void save({ rules: rules.map((one) => (one === rule ? { ...rule, effect } : one)) })
                }
              />
              <code className={styles['match']}>
                <VisibleText text={rule.match} oneLine />
              </code>
              <IconButton
                size="small"
                label={`Remove the rule for ${rule.match}`}
                icon={<Trash2 size={14} aria-hidden="true" />}
                onClick={() => void save({ rules: rules.filter((one) => one !== rule) })}
              />
            </li>
          ))}
        </ul>
      )}
      <NewRule onAdd={(rule) => save({ rules: [...rules, rule] })} />
    </Section>
  );
}

interface NewRuleProps {
  /** Gives whether it was saved; a refused rule stays in the fields. */
  readonly onAdd: (rule: Rule) => Promise<boolean>;
}

function NewRule({ onAdd }: NewRuleProps) {
  const tools = useApp((app) => app.toolNames);
  const [effect, setEffect] = useState<Rule['effect']>('allow');
  const [tool, setTool] = useState('shell');
  const [command, setCommand] = useState('');
  const isShell = tool === 'shell';
  const match = isShell && command.trim() !== '' ? `shell:${command.trim()}` : tool;
  const add = async (): Promise<void> => {
    if (await onAdd({ id: crypto.randomUUID(), effect, match })) setCommand('');
  };
  return (
    <div className={styles['new']} role="group" aria-label="New rule">
      <Select label="New rule" value={effect} choices={EFFECTS} onChange={setEffect} />
      <Select
        label="Tool"
        value={tool}
        choices={tools.map(({ name, title }) => ({ value: name, label: title }))}
        onChange={setTool}
      />
      {isShell && (
        <TextInput
          mono
          aria-label="Exact command; empty for all commands"
          placeholder="exact command, e.g. npm test"
          value={command}
          onChange={setCommand}
          onEnter={() => void add()}
        />
      )}
      <Button onClick={() => void add()}>Add</Button>
    </div>
  );
}
