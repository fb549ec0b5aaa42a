// What happened to the chat itself, in one plain sentence. Pure.
import type { AuthorityChange, Mode } from '../../../src-main/contract/authority.ts';
import type { EntryOf } from '../../../src-main/contract/entries.ts';
import { modelWords } from '../../state/model-words.ts';
import { describeImport } from '../../state/describe-import.ts';
import type { NoticeEntry } from '../../state/transcript-items.ts';

const MODES: Readonly<Record<Mode, string>> = {
  plan: 'Plan: it researches and changes nothing.',
  ask: 'Ask: it asks before changes and commands.',
  auto: 'Auto: confined changes and commands run, the rest asks.',
};

const MOVES: Readonly<Record<EntryOf<'rewind'>['data']['how'], string>> = {
  rewind: 'Went back to here. What came after is kept as a branch.',
  undo: 'Took the last move back. The other branch is kept; files stay as they are.',
  jump: 'Went on from this turn. The other branch is kept.',
};

function countChanges(changes: readonly AuthorityChange[]): string {
  const count = (change: AuthorityChange['change']): number => changes.filter((one) => one.change === change).length;
  const parts = (['added', 'removed', 'altered'] as const)
    .map((change) => [change, count(change)] as const)
    .filter(([, number]) => number > 0)
    .map(([change, number]) => `${number} ${change}`);
  return parts.length === 0 ? 'nothing changed' : parts.join(', ');
}

function modelSentence(ref: string): string {
  const { name, where } = modelWords(ref);
  return `Model: ${name}, ${where}.`;
}

/** See the file's header. */
export function describeNotice(entry: NoticeEntry): string {
  switch (entry.kind) {
    case 'mode':
      return MODES[entry.data.mode];
    case 'confinement':
      return entry.data.on ? 'Commands are confined again.' : 'Commands are no longer confined.';
    case 'enabled-tools':
      return entry.data.tools.length === 0 ? 'All tools are off.' : `Tools on: ${entry.data.tools.join(', ')}.`;
    case 'model':
      return modelSentence(entry.data.model);
    case 'authority':
      return entry.data.cause === 'resumed'
        ? `Authority since last time: ${countChanges(entry.data.changes)}. The Authority tab shows it.`
        : `Authority updated: ${countChanges(entry.data.changes)}.`;
    case 'context-clear':
      return 'Context cleared. What is above is kept, and no longer sent to the model.';
    case 'reduction':
      return describeReduction(entry.data);
    case 'reduction-undo':
      return 'What was set aside for the model is sent again.';
    case 'grant-lapse': {
      const count = entry.data.grants.length;
      return `${count === 1 ? 'One permission' : `${count} permissions`} given for this chat ended when Warrant closed.`;
    }
    case 'rewind':
      return MOVES[entry.data.how];
    case 'checkpoint':
      return `The files were not kept before this, so what this turn changes cannot be put back: ${entry.data.problem ?? ''}`;
    case 'files-restore': {
      const { restored, kept } = entry.data;
      const left = kept === 0 ? '' : ` ${kept} left as they are.`;
      return `${restored === 1 ? 'One file' : `${restored} files`} put back.${left} The Changes tab can take that back.`;
    }
    case 'fork':
      return `Copied from “${entry.data.title === '' ? 'New chat' : entry.data.title}” up to here.`;
    case 'import':
      return `Imported from ${entry.data.file}: ${describeImport(entry.data)}`;
    case 'abort':
      return 'Stopped.';
  }
}

const CAUSES = {
  full: "The model's window was filling",
  'too-long': 'The model service found the chat too long',
  person: 'Compacted',
  'new-context': 'A fresh objective',
  'left-out': 'Left out',
} as const;

/** What was set aside for the model, and why; the chat itself keeps all of it. */
function describeReduction({ cause, fold, calls, focus, before, after }: EntryOf<'reduction'>['data']): string {
  const messages = fold === null ? 0 : fold.to - fold.from;
  const results = calls.length === 1 ? 'a result' : `${calls.length} results`;
  const what = [...(messages > 0 ? [`${messages} earlier messages`] : []), ...(calls.length > 0 ? [results] : [])];
  const about = focus === '' ? '' : ` (“${focus}”)`;
  const tokens = `about ${before.toLocaleString('en')} → ${after.toLocaleString('en')} tokens`;
  return `${CAUSES[cause]}${about}: ${what.join(' and ')} set aside for the model, ${tokens}. Above, nothing is missing.`;
}
