// The first entries of a new chat: what it begins with as the settings say, where nothing else was asked for.
import type { Mode } from '../contract/authority.ts';
import type { NewEntry } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import type { AppContext } from './app-context.ts';
import { firstEntries, openProjectTools } from './load-session.ts';
import { nameOfNew } from './session-name.ts';

export interface Beginning {
  readonly id: SessionId;
  readonly projectPath: string;
  readonly saved: boolean;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly name?: string | undefined;
}

/** Codes project.gone, config.invalid (a name that is taken). */
export async function beginChat(context: AppContext, input: Beginning): Promise<NewEntry[]> {
  const { settings, models, store } = context;
  const { defaultMode, confinement } = settings.current;
  const { model = models.defaultRef(), mode = defaultMode } = input;
  const name = await nameOfNew(store, { wanted: input.name, folder: input.projectPath });
  const tools = await openProjectTools(context, input);
  try {
    return await firstEntries(context, { tools, model, mode, confinement, name });
  } finally {
    await tools.close();
  }
}
