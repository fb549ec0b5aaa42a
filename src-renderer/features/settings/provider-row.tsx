// One model service: its address, its key's state, its models with a test each.
import { useState } from 'react';
import type { KeyState, ModelInfo, ProviderSetting } from '../../../src-main/contract/models.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { useApp, useClient } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { TestButton } from './test-button.tsx';
import styles from './provider-row.module.css';

export interface ProviderRowProps {
  readonly provider: ProviderSetting;
  readonly keyState: KeyState | undefined;
  readonly onEdit: () => void;
  readonly onKeyChange: (state: KeyState) => void;
}

export function ProviderRow({ provider, keyState, onEdit, onKeyChange }: ProviderRowProps) {
  const models = useApp((app) => app.models);
  const refOf = (name: string): string =>
    models.find((model) => isOf(model, provider, name))?.ref ?? `${provider.wire}:${name}@${provider.baseUrl}`;
  return (
    <div className={styles['provider']} role="group" aria-label={provider.label}>
      <div className={styles['head']}>
        <h4>{provider.label}</h4>
        <code>{provider.baseUrl}</code>
        <Button size="small" kind="quiet" aria-label={`Edit ${provider.label}`} onClick={onEdit}>
          Edit…
        </Button>
      </div>
      <KeyLine provider={provider} keyState={keyState} onKeyChange={onKeyChange} />
      <ul>
        {provider.models.map((name) => (
          <li key={name} className={styles['model']}>
            <span>{name}</span>
            <TestButton model={refOf(name)} name={name} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function isOf(model: ModelInfo, provider: ProviderSetting, name: string): boolean {
  return (
    model.wire === provider.wire &&
    model.name === name &&
    (model.ref.endsWith(provider.baseUrl) || !model.ref.includes('@'))
  );
}

type KeyLineProps = Pick<ProviderRowProps, 'provider' | 'keyState' | 'onKeyChange'>;

function KeyLine({ provider, keyState, onKeyChange }: KeyLineProps) {
  const client = useClient();
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = async (act: () => Promise<KeyState>): Promise<void> => {
    try {
      onKeyChange(await act());
      setTyped(null);
      setProblem(null);
    } catch (caught) {
      setProblem(wireErrorOf(caught).message);
    }
  };
  const save = (): void => {
    const key = typed?.trim() ?? '';
    if (key !== '') void attempt(() => client.models.setKey({ providerId: provider.id, key }));
  };
  return (
    <div className={styles['key']}>
      {typed === null ? (
        <>
          <span className={styles['state']}>{keyWords(provider, keyState)}</span>
          <Button size="small" aria-label={`Enter a key for ${provider.label}`} onClick={() => setTyped('')}>
            {keyState?.source === 'stored' ? 'Replace the key' : 'Enter a key'}
          </Button>
          {keyState?.source === 'stored' && (
            <Button
              size="small"
              kind="danger"
              aria-label={`Remove the key of ${provider.label}`}
              onClick={() => void attempt(() => client.models.removeKey({ providerId: provider.id }))}
            >
              Remove
            </Button>
          )}
        </>
      ) : (
        <>
          <TextInput
            type="password"
            mono
            autoFocus
            aria-label={`Key for ${provider.label}`}
            placeholder="Paste the key"
            value={typed}
            onChange={setTyped}
            onEnter={save}
            onEscape={() => setTyped(null)}
          />
          <Button size="small" kind="primary" disabled={typed.trim() === ''} onClick={save}>
            Save
          </Button>
          <Button size="small" kind="quiet" onClick={() => setTyped(null)}>
            Cancel
          </Button>
        </>
      )}
      {problem !== null && (
        <span className={styles['problem']} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

function keyWords(provider: ProviderSetting, state: KeyState | undefined): string {
  switch (state?.source) {
    case 'stored':
      return state.protection === 'keychain'
        ? "Its key is in the system's keychain."
        : 'Its key is in a file that only you can read: this system has no keychain.';
    case 'command':
      return `Its key comes from the command ${provider.keyCommand}`;
    case 'environment':
      return `Its key comes from the variable ${provider.keyVariable}.`;
    default:
      return 'It has no key. Servers on this machine need none.';
  }
}
