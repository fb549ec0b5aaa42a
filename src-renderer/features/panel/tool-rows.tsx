// Each tool with its limits, what would happen to a plain call, and its switch; below them the confinement of commands.
import { useId } from 'react';
import type { ReactElement } from 'react';
import type { AuthorityView, ToolState } from '../../../src-main/contract/session.ts';
import { Switch } from '../../ui/switch.tsx';
import { BEHAVIOUR_WORDS } from './describe-authority.ts';
import styles from './panel.module.css';

interface RowProps {
  readonly title: string;
  readonly hint: string;
  readonly how: string;
  readonly on: boolean;
  readonly disabled: boolean;
  readonly onChange: (on: boolean) => void;
}

function Row({ title, hint, how, on, disabled, onChange }: RowProps): ReactElement {
  const id = useId();
  return (
    <li className={styles['tool']}>
      <span className={styles['tool-words']}>
        <span id={id}>{title}</span>
        {hint !== '' && <span className={styles['small']}>{hint}</span>}
      </span>
      <span id={`${id}-how`} className={styles['how']}>
        {how}
      </span>
      <Switch checked={on} labelledBy={id} describedBy={`${id}-how`} disabled={disabled} onChange={onChange} />
    </li>
  );
}

export interface ToolRowsProps {
  readonly authority: AuthorityView;
  readonly readOnly: boolean;
  /** Names of all tools that are to be on. */
  readonly onTools: (tools: string[]) => void;
  readonly onConfinement: (on: boolean) => void;
}

function hintOf(tool: ToolState): string {
  return tool.limits.join(' · ');
}

/** See the file's header. */
export function ToolRows({ authority, readOnly, onTools, onConfinement }: ToolRowsProps): ReactElement {
  const { tools, confinement } = authority;
  const toggle = (name: string, on: boolean): void => {
    const names = tools.filter((tool) => (tool.name === name ? on : tool.enabled)).map((tool) => tool.name);
    onTools(names);
  };
  return (
    <ul className={styles['tools']} aria-label="Tools">
      {tools.map((tool) => (
        <Row
          key={tool.name}
          title={tool.title}
          hint={hintOf(tool)}
          how={BEHAVIOUR_WORDS[tool.enabled ? tool.behaviour : 'off']}
          on={tool.enabled}
          disabled={readOnly}
          onChange={(on) => toggle(tool.name, on)}
        />
      ))}
      <Row
        title="Confine commands"
        hint={confinement.reason}
        how={!confinement.available ? 'not available' : confinement.on ? 'on' : 'off'}
        on={confinement.on && confinement.available}
        disabled={readOnly || !confinement.available}
        onChange={onConfinement}
      />
    </ul>
  );
}
