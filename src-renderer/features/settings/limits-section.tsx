// Limits of new chats. A value that is out of range stays in its field with the reason and is not saved.
import { useState } from 'react';
import { RotateCcw } from 'lucide-react';
import { LIMITS, type LimitName } from '../../../src-main/contract/limits.ts';
import { useApp } from '../../state/window-context.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextInput } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Section } from './section.tsx';
import { LIMIT_GROUPS, parseLimit, scaleOf, shownLimit } from './shown-values.ts';
import { useSave } from './use-save.ts';
import styles from './limits-section.module.css';

export function LimitsSection() {
  const limits = useApp((app) => app.settings.limits);
  const { save, problem } = useSave();
  const set = (name: LimitName, value: number | undefined): void => {
    const { [name]: _before, ...others } = limits;
    void save({
      limits: value === undefined || value === LIMITS[name].default ? others : { ...others, [name]: value },
    });
  };
  return (
    <Section
      title="Limits"
      about="0 means no limit, where that is possible. A chat never goes above the figure at the right."
    >
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      {LIMIT_GROUPS.map((group) => (
        <div key={group.title} className={styles['group']}>
          <h4>{group.title}</h4>
          {group.limits.map(([name, label]) => (
            <LimitRow
              key={`${name}-${limits[name] ?? ''}`}
              name={name}
              label={label}
              value={limits[name] ?? LIMITS[name].default}
              onSet={(value) => set(name, value)}
            />
          ))}
        </div>
      ))}
    </Section>
  );
}

interface LimitRowProps {
  readonly name: LimitName;
  readonly label: string;
  readonly value: number;
  readonly onSet: (value: number | undefined) => void;
}

function LimitRow({ name, label, value, onSet }: LimitRowProps) {
  const [typed, setTyped] = useState(() => shownLimit(name, value));
  const [problem, setProblem] = useState<string | null>(null);
  const { unit } = scaleOf(name);
  const id = `limit-${name}`;
  const commit = (): void => {
    const parsed = parseLimit(name, typed);
    if ('problem' in parsed) setProblem(parsed.problem);
    else {
      setProblem(null);
      if (parsed.value !== value) onSet(parsed.value);
    }
  };
  return (
    <div className={styles['row']}>
      <label htmlFor={id}>{label}</label>
      <span
        id={`${id}-note`}
        className={problem === null ? styles['most'] : styles['problem']}
        role={problem === null ? undefined : 'alert'}
      >
        {problem ?? `at most ${shownLimit(name, LIMITS[name].ceiling)}`}
      </span>
      <TextInput
        id={id}
        inputMode="decimal"
        value={typed}
        onChange={setTyped}
        onEnter={commit}
        onBlur={commit}
        aria-describedby={`${id}-note`}
        aria-invalid={problem !== null || undefined}
      />
      <span className={styles['unit']}>{unit}</span>
      <IconButton
        size="small"
        label={`Set back to ${shownLimit(name, LIMITS[name].default)} ${unit}`.trim()}
        icon={<RotateCcw size={13} aria-hidden="true" />}
        disabled={value === LIMITS[name].default}
        onClick={() => onSet(undefined)}
      />
    </div>
  );
}
