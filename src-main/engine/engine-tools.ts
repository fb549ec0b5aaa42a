// The tools that the engine itself brings, where a configuration asks for them: the search for further tools, and the
// question to the person. They are part of the authority like any other.
import { AppError } from '../base/app-error.ts';
import type { Entry } from '../contract/entries.ts';
import { askUser } from './ask-user.ts';
import { contextTools } from './context-tools.ts';
import type { Asker, Tool } from './ports.ts';
import { toolSearch } from './tool-search.ts';

export interface EngineToolConfig {
  /** The model may ask the person something (`ask_user`); off unless set. */
  readonly askUser?: boolean;
  /** Tools of the ceiling that are advertised only once they were searched for (`tool_search`). */
  readonly deferredTools?: readonly string[];
  /** The model can read and search what was set aside (`expand_reduction`, `sidecar_search`); off unless set. */
  readonly contextTools?: boolean;
}

/** What the engine's tools reach of their session, once there is one. */
export class EngineToolLinks {
  reveal: (names: readonly string[]) => void = () => {};
  asker: Asker | null = null;
  entries: readonly Entry[] = [];
}

/** All tools of a session: those given, and the engine's own. Code authority.invalid for a deferred tool that is none. */
export function withEngineTools(given: readonly Tool[], config: EngineToolConfig, links: EngineToolLinks): Tool[] {
  const { deferredTools = [], askUser: asks = false, contextTools: reads = false } = config;
  const deferred = deferredTools.map((name) => {
    const tool = given.find((one) => one.declaration.name === name);
    if (!tool) throw new AppError('authority.invalid', `The deferred tool ${name} is none of this session's tools.`);
    return tool.declaration;
  });
  return [
    ...given,
    ...(deferred.length > 0 ? [toolSearch(deferred, (names) => links.reveal(names))] : []),
    ...(asks ? [askUser(() => links.asker)] : []),
    ...(reads ? contextTools(() => links.entries) : []),
  ];
}
