// The line under the text: mode, model, the seal with the number of tools, the meter of context and cost, Stop or Send.
import { memo } from 'react';
import type { ReactElement } from 'react';
import { BadgeCheck } from 'lucide-react';
import type { Mode } from '../../../src-main/contract/authority.ts';
import type { ModelInfo } from '../../../src-main/contract/models.ts';
import type { Meter } from '../../../src-main/contract/session.ts';
import { modelWords } from '../../state/model-words.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import type { Choice } from '../../ui/menu.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { AttachButton } from './attach-button.tsx';
import { describeMeter } from './describe-meter.ts';
import styles from './composer.module.css';

export interface ComposerBarProps {
  readonly mode: Mode;
  readonly model: string;
  readonly models: readonly ModelInfo[];
  readonly toolsOn: number;
  readonly meter: Meter;
  readonly running: boolean;
  readonly disabled: boolean;
  readonly canSend: boolean;
  readonly onMode: (mode: Mode) => void;
  readonly onModel: (model: string) => void;
  readonly onAttach: (files: readonly File[]) => void;
  readonly onSetUpModel: () => void;
  readonly onOpenAuthority: () => void;
  readonly onStop: () => void;
  readonly onSend: () => void;
}

const MODES: readonly Choice<Mode>[] = [
  { value: 'plan', label: 'Plan only', hint: 'Researches and changes nothing' },
  { value: 'ask', label: 'Ask before changes', hint: 'Asks before changes and commands' },
  { value: 'auto', label: 'Auto, confined', hint: 'Confined changes and commands run, the rest asks' },
];

function toModelChoices(models: readonly ModelInfo[], present: string): Choice<string>[] {
  const choices = models.map(({ ref, name, origin, tools }) => ({
    value: ref,
    label: name,
    hint: tools === false ? `${origin} · cannot use tools` : origin,
  }));
  if (models.some(({ ref }) => ref === present)) return choices;
  // A model that is not offered any more is still this chat's.
  const { name, where } = modelWords(present);
  return [{ value: present, label: name, hint: `${where} · in no service of your settings` }, ...choices];
}

/** Stands for "set up another one", which is no reference. */
const SET_UP: Choice<string> = { value: '', label: 'Set up a model…', hint: 'Opens the settings' };

function shownModel(models: readonly ModelInfo[], present: string): string {
  const model = models.find(({ ref }) => ref === present);
  if (model === undefined) {
    const { name, where } = modelWords(present);
    return `${name} · ${where}`;
  }
  return model.local && model.wire !== 'guide' ? `${model.name} · local` : model.name;
}

function MeterView({ meter }: { meter: Meter }): ReactElement {
  const { share, short, full } = describeMeter(meter);
  return (
    <Tooltip text={full} side="top">
      <button type="button" className={styles['meter']}>
        {share !== null && (
          <span className={styles['track']} aria-hidden="true">
            <span
              className={styles['fill']}
              style={{ width: `${Math.round(share * 100)}%` }}
              data-full={share >= 0.8}
            />
          </span>
        )}
        <span>{short}</span>
        <span className="visually-hidden">. {full}</span>
      </button>
    </Tooltip>
  );
}

/** See the file's header. */
export const ComposerBar = memo(function ComposerBar(props: ComposerBarProps): ReactElement {
  const { mode, model, models, toolsOn, meter, running, disabled, canSend } = props;
  return (
    <div className={styles['bar']}>
      <Select
        kind="pill"
        side="top"
        label="Mode"
        value={mode}
        choices={MODES}
        disabled={disabled}
        onChange={props.onMode}
      />
      <Select
        kind="pill"
        side="top"
        label="Model"
        value={model}
        shown={shownModel(models, model)}
        choices={[...toModelChoices(models, model), SET_UP]}
        disabled={disabled}
        onChange={(ref) => (ref === SET_UP.value ? props.onSetUpModel() : props.onModel(ref))}
      />
      <button
        type="button"
        className={styles['seal']}
        onClick={props.onOpenAuthority}
        aria-label={`${toolsOn} tools on. Show authority`}
      >
        <BadgeCheck size={14} aria-hidden="true" />
        <span className={styles['seal-words']}>{toolsOn === 1 ? '1 tool on' : `${toolsOn} tools on`}</span>
      </button>
      <AttachButton disabled={disabled} onFiles={props.onAttach} />
      <span className={styles['grow']} />
      <MeterView meter={meter} />
      {running ? (
        <Button size="small" shortcut="Esc" onClick={props.onStop}>
          Stop
        </Button>
      ) : (
        <Button size="small" kind="primary" disabled={!canSend} onClick={props.onSend}>
          Send
        </Button>
      )}
    </div>
  );
});
