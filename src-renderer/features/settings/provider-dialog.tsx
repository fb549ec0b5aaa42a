// Sets up a model service or changes one. What cannot be right is told at its field; the rest is main's to judge.
import { useState } from 'react';
import type { ProviderSetting } from '../../../src-main/contract/models.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { reduceApp } from '../../state/app-store.ts';
import { useClient, useWindow } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { KNOWN_SERVICES, serviceProblems, type ServiceProblems } from './known-services.ts';
import styles from './provider-dialog.module.css';

export interface ProviderDialogProps {
  /** null = a new one. */
  readonly provider: ProviderSetting | null;
  readonly onClose: () => void;
}

export function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const client = useClient();
  const { app } = useWindow();
  const [draft, setDraft] = useState<ProviderSetting>(
    () => provider ?? { ...KNOWN_SERVICES[0], id: crypto.randomUUID() },
  );
  const [models, setModels] = useState(() => draft.models.join('\n'));
  const [problems, setProblems] = useState<ServiceProblems>({});
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
    const names = models
      .split(/[\n,]/)
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const complete = {
      ...draft,
      label: draft.label.trim(),
      baseUrl: draft.baseUrl.trim(),
      models: [...new Set(names)],
    };
    const found = serviceProblems(complete);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    void finish(async () => (await client.models.saveProvider({ provider: complete })).providers);
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
              onChange={(label) => change(KNOWN_SERVICES.find((known) => known.label === label) ?? {})}
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
        <div className={styles['models']}>
          <label htmlFor="service-models">Models, one a line</label>
          <textarea
            id="service-models"
            rows={3}
            spellCheck={false}
            value={models}
            aria-invalid={problems.models !== undefined || undefined}
            aria-describedby={problems.models === undefined ? undefined : 'service-models-note'}
            onChange={(event) => setModels(event.target.value)}
          />
          {problems.models !== undefined && (
            <p id="service-models-note" role="alert">
              {problems.models}
            </p>
          )}
        </div>
        <Field
          label="Command that prints the key"
          mono
          value={draft.keyCommand}
          hint="Used when no key is stored, e.g. pass show openrouter."
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
