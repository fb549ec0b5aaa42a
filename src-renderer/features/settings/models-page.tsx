// Models and the services they come from: what was found here, what the person set up, keys, and a test of each.
import { useState } from 'react';
import { Plus, RefreshCw } from 'lucide-react';
import type { KeyState, ProviderSetting } from '../../../src-main/contract/models.ts';
import { modelWords } from '../../state/model-words.ts';
import { useActs, useApp, useClient } from '../../state/window-context.tsx';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { ProviderRow } from './provider-row.tsx';
import { Page, Section, SettingRow } from './section.tsx';
import { TestButton } from './test-button.tsx';
import { useKeys } from './use-keys.ts';
import { useSave } from './use-save.ts';
import styles from './models-page.module.css';

export function ModelsPage() {
  return (
    <Page title="Models and keys">
      <DefaultSection />
      <ServicesSection />
      <LocalSection />
    </Page>
  );
}

function DefaultSection() {
  const models = useApp((app) => app.models);
  const settings = useApp((app) => app.settings);
  const { save, problem } = useSave();
  const chosen = settings.defaultModel;
  const known = chosen === '' || models.some((model) => model.ref === chosen);
  const { name, where } = modelWords(chosen);
  return (
    <Section title="New chats">
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      <SettingRow
        label="Answered by"
        hint="Each chat can change its own."
        control={() => (
          <Select
            label="Model of new chats"
            align="end"
            value={chosen}
            choices={[
              ...(known ? [] : [{ value: chosen, label: name, hint: `${where} · in no service of your settings` }]),
              { value: '', label: 'The best that is there', hint: 'A local model, else the guide' },
              ...models.map((model) => ({ value: model.ref, label: model.name, hint: model.origin })),
            ]}
            onChange={(defaultModel) => void save({ defaultModel })}
          />
        )}
      />
    </Section>
  );
}

function ServicesSection() {
  const providers = useApp((app) => app.settings.providers);
  const { keys, problem, change } = useKeys();
  const [editing, setEditing] = useState<ProviderSetting | 'new' | null>(null);
  const keyOf = (id: string): KeyState | undefined => keys.find((key) => key.providerId === id);
  return (
    <Section
      title="Model services"
      about="A key never leaves Warrant's main process. Where the system has a keychain it is kept there, otherwise in a file that only you can read."
      actions={
        <Button icon={<Plus size={14} aria-hidden="true" />} onClick={() => setEditing('new')}>
          Add a service
        </Button>
      }
    >
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      {providers.length === 0 && (
        <EmptyState title="No service is set up">
          Add OpenRouter, OpenAI, Anthropic, Google, or any server that speaks one of their ways.
        </EmptyState>
      )}
      {providers.map((provider) => (
        <ProviderRow
          key={provider.id}
          provider={provider}
          keyState={keyOf(provider.id)}
          onEdit={() => setEditing(provider)}
          onKeyChange={change}
        />
      ))}
      {editing !== null && (
        <ProviderDialog provider={editing === 'new' ? null : editing} onClose={() => setEditing(null)} onKey={change} />
      )}
    </Section>
  );
}

function LocalSection() {
  const models = useApp((app) => app.models).filter((model) => model.local);
  const find = useApp((app) => app.settings.findLocalModels);
  const client = useClient();
  const { notify } = useActs();
  const { save } = useSave();
  const [busy, setBusy] = useState(false);
  const look = async (): Promise<void> => {
    setBusy(true);
    try {
      const found = await client.models.discover({});
      const count = found.filter((model) => model.local && model.wire !== 'guide').length;
      notify('info', count === 0 ? 'No model server answers on this machine.' : `${count} local models found.`);
    } catch (caught) {
      notify('error', wireErrorOf(caught).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section
      title="On this machine"
      actions={
        <Button busy={busy} icon={<RefreshCw size={14} aria-hidden="true" />} onClick={() => void look()}>
          Look again
        </Button>
      }
    >
      <SettingRow
        label="Look for local model servers at start"
        hint="Ollama, LM Studio and llama.cpp at their usual addresses on this machine."
        control={(id) => (
          <Switch labelledBy={id} checked={find} onChange={(findLocalModels) => void save({ findLocalModels })} />
        )}
      />
      <ul>
        {models.map((model) => (
          <li key={model.ref} className={styles['model']}>
            <span>
              {model.name}
              <small>{model.wire === 'guide' ? 'Built in. Not a language model.' : model.origin}</small>
            </span>
            {model.wire !== 'guide' && <TestButton model={model.ref} name={model.name} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}
