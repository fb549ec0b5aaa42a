// Says in words what an approval asks for: the verb and object of its sentence, its facts, and a line for each danger.
// Pure; the words come from effects and preview alone, never from what the model wrote about them.
import type { Effect, EffectKind } from '../../../src-main/contract/authority.ts';
import type { Approval } from '../../../src-main/contract/session.ts';

export interface Danger {
  readonly kind: EffectKind;
  readonly words: string;
  /** The path, address or command concerned, verbatim; '' when the card shows it already. */
  readonly target: string;
}

export interface ApprovalWords {
  /** After "Warrant wants to". */
  readonly verb: string;
  /** The file or host, verbatim; '' when it is the command below. */
  readonly object: string;
  readonly facts: readonly string[];
  readonly dangers: readonly Danger[];
}

const DANGERS: Partial<Record<EffectKind, string>> = {
  'read-secret': 'Reads what is likely a secret',
  'read-outside': 'Reads outside the folder',
  'write-outside': 'Changes a file outside the folder',
  'write-protected': 'Changes a protected file',
  'command-network': 'Uses the network',
  'command-unconfined': 'Runs unconfined: it can reach all that you can',
  'command-unconfinable': 'Runs unconfined: this machine cannot confine it',
  network: 'Uses the network',
};

/** `2 min`, `90 s`, `1.5 s`, `400 ms`. */
export function showDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms >= 60_000 && (ms % 60_000 === 0 || ms >= 600_000)) return `${Math.round(ms / 60_000)} min`;
  return `${Number((ms / 1000).toFixed(ms < 10_000 ? 1 : 0))} s`;
}

/** Host and port of an address; the port is there even when the scheme implies it. */
export function hostAndPort(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const port = url.port === '' ? ({ 'https:': '443', 'http:': '80' }[url.protocol] ?? '') : url.port;
  return port === '' ? url.hostname : `${url.hostname}:${port}`;
}

function toDangers(effects: readonly Effect[], preview: Approval['preview']): Danger[] {
  const seen = new Set<string>();
  return effects.flatMap(({ kind, target }) => {
    const words = DANGERS[kind];
    const shown = kind === 'network' ? hostAndPort(target) : kind.startsWith('command') ? '' : target;
    if (words === undefined || seen.has(`${kind} ${shown}`)) return [];
    seen.add(`${kind} ${shown}`);
    // The command itself stands above, in full.
    return [{ kind, words, target: preview.type === 'command' && shown === preview.command ? '' : shown }];
  });
}

function toFacts(preview: Approval['preview']): string[] {
  if (preview.type === 'command') {
    return [
      preview.confined ? 'confined to this folder' : 'not confined',
      preview.network ? 'with network' : preview.confined ? 'no network' : 'network not blocked',
      `stops after ${showDuration(preview.timeoutMs)}`,
    ];
  }
  if (preview.type !== 'diff') return [];
  const lines = (count: number): string => (count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`);
  return preview.created
    ? ['new file', lines(preview.added)]
    : [`${lines(preview.added)} added`, `${lines(preview.removed)} removed`];
}

function toVerb(approval: Approval): { verb: string; object: string } {
  const { preview, effects } = approval;
  switch (preview.type) {
    case 'command':
      return { verb: 'run a command', object: '' };
    case 'diff':
      return { verb: preview.created ? 'create' : 'change', object: preview.path };
    case 'url':
      return { verb: 'fetch a page', object: hostAndPort(preview.url) };
    case 'path':
      return { verb: effects.some(({ kind }) => kind.startsWith('write')) ? 'change' : 'read', object: preview.path };
    case 'none':
      return { verb: `use ${approval.tool}`, object: '' };
  }
}

/** See the file's header. */
export function describeApproval(approval: Approval): ApprovalWords {
  return {
    ...toVerb(approval),
    facts: toFacts(approval.preview),
    dangers: toDangers(approval.effects, approval.preview),
  };
}

/** The words of the button that gives a session grant: the same tool and the same thing, nothing more. */
export function grantLabel(approval: Approval): string {
  if (approval.preview.type === 'command') return 'Allow this exact command in this chat';
  if (approval.preview.type === 'diff') return 'Allow changes to this file in this chat';
  return 'Allow for this chat';
}

/** What a session grant would cover, or why there is none. */
export function grantNote({ grant, preview }: Approval): string {
  if (grant === null) return 'It asks each time: this cannot be allowed for the whole chat.';
  if (preview.type === 'diff')
    return `For this chat it would cover every further change of this kind to ${preview.path}.`;
  return `For this chat it would cover ${grant.describes}.`;
}
