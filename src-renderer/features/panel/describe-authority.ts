// A chat's authority as a short readable document. Pure.
import type { AuthorityChange, Mode } from '../../../src-main/contract/authority.ts';
import type { AuthorityView, ToolState } from '../../../src-main/contract/session.ts';

export interface AuthorityWords {
  /** Groups of things that it may do, each with how: '' = without asking. In the order read, change, run, reach. */
  readonly may: readonly { readonly what: readonly string[]; readonly how: string }[];
  readonly mayNot: readonly string[];
}

const CLASSES = [
  ['read', 'read and search files'],
  ['write', 'change files'],
  ['command', 'run commands'],
  ['network', 'use the network'],
] as const;

type Behaviour = ToolState['behaviour'];

const RANK: Readonly<Record<Behaviour, number>> = { off: 0, 'not-offered': 1, 'asks-once': 2, asks: 3, runs: 4 };

const HOW: Readonly<Record<Behaviour, string>> = {
  runs: '',
  asks: 'asking each time',
  'asks-once': 'asking each time',
  'not-offered': '',
  off: '',
};

/** The word for what would happen to a plain call. */
export const BEHAVIOUR_WORDS: Readonly<Record<Behaviour, string>> = {
  runs: 'runs',
  asks: 'asks',
  'asks-once': 'asks each time',
  'not-offered': 'not in plan mode',
  off: 'off',
};

/** See the file's header. A class of tools does what its freest tool does. */
export function describeAuthority(authority: AuthorityView): AuthorityWords {
  const may: { what: string[]; how: string }[] = [];
  const mayNot: string[] = [];
  for (const [toolClass, what] of CLASSES) {
    const tools = authority.tools.filter((tool) => tool.class === toolClass && tool.enabled);
    const freest = tools.reduce<Behaviour>(
      (best, tool) => (RANK[tool.behaviour] > RANK[best] ? tool.behaviour : best),
      'off',
    );
    if (freest === 'off' || freest === 'not-offered') {
      mayNot.push(what);
      continue;
    }
    const confined = toolClass === 'command' && authority.confinement.on && authority.confinement.available;
    const how = [confined ? 'confined' : toolClass === 'command' ? 'not confined' : '', HOW[freest]]
      .filter((word) => word !== '')
      .join(', ');
    const last = may.at(-1);
    if (last?.how === how) last.what.push(what);
    else may.push({ what: [what], how });
  }
  return { may, mayNot };
}

export const MODE_WORDS: Readonly<Record<Mode, string>> = {
  plan: 'Plan mode: it researches and changes nothing.',
  ask: 'Ask mode: it asks before changes and commands.',
  auto: 'Auto mode: confined changes and commands run, the rest asks.',
};

/** `Added tool web_fetch`, `Altered limit shellTimeoutMs: 120000 to 60000`. */
export function describeChange({ change, part, before, after }: AuthorityChange): string {
  if (change === 'added') return `Added ${part}${after === undefined ? '' : `: ${after}`}`;
  if (change === 'removed') return `Removed ${part}${before === undefined ? '' : `: ${before}`}`;
  return `Altered ${part}${before === undefined || after === undefined ? '' : `: ${before} to ${after}`}`;
}

/** A digest in groups of four, its first `groups` of them. */
export function shortDigest(digest: string, groups = 3): string {
  return (digest.match(/.{1,4}/g) ?? []).slice(0, groups).join(' ');
}
