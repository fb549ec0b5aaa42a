// Sets up a model service or changes one. What cannot be right is told at its field; the rest is main's to judge.
import { useState } from 'react';
import { KNOWN_SERVICES } from '../../../src-main/contract/known-services.ts';
import type { KeyState, ProviderSetting } from '../../../src-main/contract/models.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { reduceApp } from '../../state/app-store.ts';
import { useApp, useClient, useWindow } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { serviceProblems, type ServiceProblems } from './service-problems.ts';
import styles from './provider-dialog.module.css';

const FILE_ONLY = 'On this system it can be set in the settings file only, as "keyCommand" of this service.';

/** What a service that is picked anew has none of yet. */
const NOTHING_YET = { models: [], keyCommand: '' };

export interface ProviderDialogProps {
  /** null = a new one. */
  readonly provider: ProviderSetting | null;
  readonly onClose: () => void;
  /** A key was stored with the new service. */
  readonly onKey: (state: KeyState) => void;
}

export function ProviderDialog({ provider, onClose, onKey }: ProviderDialogProps) {
  const client = useClient();
  const { app } = useWindow();
  const keyCommands = useApp((facts) => facts.keyCommands);
  const [draft, setDraft] = useState<ProviderSetting>(
    () => provider ?? { ...KNOWN_SERVICES[0], ...NOTHING_YET, id: crypto.randomUUID() },
  );
  const [models, setModels] = useState(() => draft.models.join('\n'));
  const [problems, setProblems] = useState<ServiceProblems>({});
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const change = (patch: Partial<ProviderSetting>): void => setDraft((known) => ({ ...known, ...patch }));

  const finish = async (act: () => Promise<ProviderSetting[]>): Promise<void> => {
    setBusy(true);
    try {
      const providers = await act();
      app.setState((state) =>
        state.app
          ? reduceApp(state, { type: 'settings-update', settings: { ...state.app.settings, providers } })
          : state,
      );
      onClose();
    } catch (caught) {
      setProblem(wireErrorOf(caught).message);
    } finally {
      setBusy(false);
    }
  };
  const save = (): void => {
    const [label, baseUrl] = [draft.label.trim(), draft.baseUrl.trim()];
    const complete = { ...draft, label, baseUrl, models: modelNames(models) };
    const found = serviceProblems(complete);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    void finish(async () => {
      const { providers } = await client.models.saveProvider({ provider: complete });
      if (key.trim() !== '') onKey(await client.models.setKey({ providerId: complete.id, key: key.trim() }));
      return providers;
    });
  };
  const remove = (): void =>
    void finish(async () => (await client.models.removeProvider({ providerId: draft.id })).providers);

  return (
    <Dialog
      title={provider ? `Edit ${provider.label}` : 'Add a model service'}
      onClose={onClose}
      footer={
        <>
          {provider && (
            <Button kind="danger" className={styles['remove']} onClick={remove}>
              Remove
            </Button>
          )}
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" busy={busy} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {problem !== null && <ErrorNote>{problem}</ErrorNote>}
        {!provider && (
          <div className={styles['kind']}>
            <span>Service</span>
            <Select
              label="Service"
              value={draft.label}
              choices={KNOWN_SERVICES.map(({ label }) => ({ value: label, label }))}
              onChange={(label) => change({ ...KNOWN_SERVICES.find((known) => known.label === label), ...NOTHING_YET })}
            />
          </div>
        )}
        <Field label="Name" value={draft.label} error={problems.label} onChange={(label) => change({ label })} />
        <Field
          label="Address"
          mono
          value={draft.baseUrl}
          error={problems.baseUrl}
          hint="Without the last part such as /chat/completions."
          onChange={(baseUrl) => change({ baseUrl })}
        />
        <ModelsField value={models} problem={problems.models} onChange={setModels} />
        {!provider && (
          <Field
            label="Key"
            type="password"
            mono
            value={key}
            hint="Leave it empty for a server on this machine, or to use a command or a variable."
            onChange={setKey}
          />
        )}
        <Field
          label="Command that prints the key"
          mono
          value={draft.keyCommand}
          disabled={!keyCommands && draft.keyCommand === ''}
          hint={
            keyCommands
              ? 'Used when no key is stored, e.g. pass show openrouter. You are asked before it is saved.'
              : FILE_ONLY
          }
          onChange={(keyCommand) => change({ keyCommand })}
        />
        <Field
          label="Environment variable with the key"
          mono
          value={draft.keyVariable}
          hint="Used when there is neither a stored key nor a command."
          onChange={(keyVariable) => change({ keyVariable })}
        />
      </div>
    </Dialog>
  );
}

function modelNames(typed: string): string[] {
  const names = typed.split(/[\n,]/).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

interface ModelsFieldProps {
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

function ModelsField({ value, problem, onChange }: ModelsFieldProps) {
  return (
    <div className={styles['models']}>
      <label htmlFor="service-models">Models, one a line</label>
      <textarea
        id="service-models"
        rows={3}
        spellCheck={false}
        value={value}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : 'service-models-note'}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem !== undefined && (
        <p id="service-models-note" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
