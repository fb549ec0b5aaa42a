// The choices for what is being completed: commands, their arguments, or files of the project.
import { useEffect, useState } from 'react';
import type { ProjectId } from '../../../src-main/contract/ids.ts';
import type { ModelInfo } from '../../../src-main/contract/models.ts';
import type { Client } from '../../bridge/client.ts';
import { COMMANDS } from './parse-input.ts';
import type { Completion } from './parse-input.ts';

export interface CompletionChoice {
  /** What is put into the text. */
  readonly insert: string;
  readonly label: string;
  readonly hint: string;
  readonly mono: boolean;
}

const MODE_CHOICES: readonly CompletionChoice[] = [
  { insert: 'plan', label: 'plan', hint: 'Researches and changes nothing', mono: false },
  { insert: 'ask', label: 'ask', hint: 'Asks before changes and commands', mono: false },
  { insert: 'auto', label: 'auto', hint: 'Confined changes and commands run, the rest asks', mono: false },
];
const MOST_CHOICES = 50;

function localChoices(completion: Completion, models: readonly ModelInfo[]): CompletionChoice[] {
  const query = completion.query.toLowerCase();
  if (completion.kind === 'command') {
    return COMMANDS.filter((command) => command.name.startsWith(query)).map(({ name, argument, hint }) => ({
      insert: name,
      label: `/${name}${argument === '' ? '' : ` ${argument}`}`,
      hint,
      mono: false,
    }));
  }
  if (completion.command === 'mode') return MODE_CHOICES.filter((choice) => choice.label.startsWith(query));
  return models
    .filter((model) => `${model.name} ${model.origin}`.toLowerCase().includes(query))
    .map((model) => ({ insert: shortest(model, models), label: model.name, hint: model.origin, mono: false }));
}

/** A model's name where only one has it, else its whole reference. */
function shortest({ name, ref }: ModelInfo, models: readonly ModelInfo[]): string {
  return models.filter((model) => model.name.toLowerCase() === name.toLowerCase()).length === 1 ? name : ref;
}

export interface CompletionSource {
  readonly client: Client;
  readonly projectId: ProjectId;
  readonly models: readonly ModelInfo[];
}

/** Choices, best first; files come a moment later. The choices of an older query never replace newer ones. */
export function useCompletions(completion: Completion | null, source: CompletionSource): readonly CompletionChoice[] {
  const { client, projectId, models } = source;
  const [files, setFiles] = useState<readonly string[]>([]);
  const fileQuery = completion?.kind === 'file' ? completion.query : null;
  useEffect(() => {
    if (fileQuery === null) return undefined;
    let wanted = true;
    client.projects.completeFiles({ projectId, query: fileQuery }).then(
      (found) => wanted && setFiles(found),
      // Nothing to offer is what a person sees; the message can be written all the same.
      () => wanted && setFiles([]),
    );
    return () => {
      wanted = false;
    };
  }, [client, projectId, fileQuery]);
  if (completion === null) return [];
  if (completion.kind !== 'file') return localChoices(completion, models).slice(0, MOST_CHOICES);
  return files.slice(0, MOST_CHOICES).map((file) => {
    const slash = file.lastIndexOf('/');
    return { insert: file, label: file.slice(slash + 1), hint: file.slice(0, Math.max(slash, 0)), mono: true };
  });
}
