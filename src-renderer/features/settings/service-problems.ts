// What is wrong with the setting of a model service. Pure.
import type { ProviderSetting } from '../../../src-main/contract/models.ts';

/** A sentence for each field that cannot be right. */
export type ServiceProblems = { readonly [K in 'label' | 'baseUrl' | 'models']?: string };

export function serviceProblems({ label, baseUrl, models }: ProviderSetting): ServiceProblems {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  return {
    ...(label === '' || label.length > 80 ? { label: 'Give it a name of at most 80 characters.' } : {}),
    ...(url?.protocol === 'https:' || url?.protocol === 'http:'
      ? {}
      : { baseUrl: 'This is no address. It begins with https:// or http://.' }),
    ...(models.length === 0 ? { models: 'Name at least one model.' } : {}),
    ...(models.some((name) => name.length > 200) ? { models: 'A model has at most 200 characters.' } : {}),
  };
}
