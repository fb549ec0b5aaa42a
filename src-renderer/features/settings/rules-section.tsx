// Stored rules: a tool, a command, a path or a host that is allowed, asked for or denied; everywhere, in one project, or in
// one chat for an hour.
import { useState } from 'react';
import { Trash2 } from 'lucide-react';
import type { Rule } from '../../../src-main/contract/settings.ts';
import { useApp, useAppStore } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextInput } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { VisibleText } from '../../ui/verbatim/verbatim.tsx';
import { describeScope, detailOf, ruleText, scopeOf, type RuleScope } from './describe-rule.ts';
import { Section, SettingRow } from './section.tsx';
import { useSave } from './use-save.ts';
import styles from './rules-section.module.css';

const EFFECTS = [
  { value: 'allow', label: 'Allow', hint: 'Runs where it would ask' },
  { value: 'ask', label: 'Ask', hint: 'Asks where it would run' },
  { value: 'deny', label: 'Deny', hint: 'Never runs' },
] as const;

const SCOPES = [
  { value: 'everywhere', label: 'Everywhere' },
  { value: 'project', label: 'This project' },
  { value: 'session', label: 'This chat, 1 hour' },
] as const;

export function RulesSection() {
  const rules = useApp((app) => app.settings.rules);
  const useRules = useApp((app) => app.settings.useRules);
  const remembers = useApp((app) => app.settings.rememberApprovals);
  const remembered = rules.filter((rule) => rule.remembered === true).length;
  const projects = useApp((app) => app.projects);
  const names = new Map<string, string>(projects.map(({ id, name }) => [id, name]));
  const [openedAtMs] = useState(Date.now);
  const { save, problem } = useSave();
  return (
    <Section
      title="Rules"
      about="Deny beats ask, and ask beats allow. A command is judged part by part: npm test allows exactly that, git log * with any arguments; deny and ask cover each command that begins so. No rule can allow what must ask each time: secrets, protected files, the network, anything outside the folder."
    >
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      <SettingRow
        label="Use rules"
        hint="Off: modes and your answers alone decide. What a project's own file forbids holds either way."
        control={(id) => <Switch labelledBy={id} checked={useRules} onChange={(on) => void save({ useRules: on })} />}
      />
      <SettingRow
        label="Offer to remember answers"
        hint="Approvals then have one answer more, which holds in the project also after a restart."
        control={(id) => (
          <Switch labelledBy={id} checked={remembers} onChange={(on) => void save({ rememberApprovals: on })} />
        )}
      />
      {remembered > 0 && (
        <Button size="small" onClick={() => void save({ rules: rules.filter((rule) => rule.remembered !== true) })}>
          Forget remembered answers ({remembered})
        </Button>
      )}
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
              <span className={styles['scope']}>{describeScope(rule, names, openedAtMs)}</span>
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
      {/* The first rule is meant to be used; later ones leave the switch as it is. */}
      <NewRule onAdd={(rule) => save({ rules: [...rules, rule], ...(rules.length === 0 ? { useRules: true } : {}) })} />
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
  const [detail, setDetail] = useState('');
  const [scope, setScope] = useState<RuleScope>('everywhere');
  const projectId = useAppStore((state) => state.projectId);
  const sessionId = useAppStore((state) => state.sessionId);
  const toolClass = tools.find(({ name }) => name === tool)?.class ?? '';
  const field = detailOf(tool, toolClass);
  const scopes = SCOPES.filter(
    ({ value }) => value === 'everywhere' || (value === 'project' ? projectId : sessionId) !== null,
  );
  const add = async (): Promise<void> => {
    const match = ruleText({ name: tool, class: toolClass }, detail);
    const holds = scopeOf(scope, { projectId, sessionId }, Date.now());
    if (await onAdd({ id: crypto.randomUUID(), effect, match, ...holds })) setDetail('');
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
      {field !== null && (
        <TextInput
          mono
          aria-label={field.label}
          placeholder={field.example}
          value={detail}
          onChange={setDetail}
          onEnter={() => void add()}
        />
      )}
      <Select label="Where it holds" value={scope} choices={scopes} onChange={setScope} />
      <Button onClick={() => void add()}>Add</Button>
    </div>
  );
}
