// The typed client over `window.warrant`: each procedure gives its value, or throws a BridgeError with main's code.
import type { Api, Area, InputOf, OutputOf, WarrantBridge } from '../../src-main/contract/api.ts';
import { PROCEDURES } from '../../src-main/contract/channels.ts';
import type { WireResult } from '../../src-main/contract/errors.ts';
import { BridgeError, wireErrorOf } from './bridge-error.ts';

/** What the window calls: `client.sessions.submit({ … })`. */
export type Client = {
  readonly [A in Area]: { readonly [P in keyof Api[A]]: (input: InputOf<Api[A][P]>) => Promise<OutputOf<Api[A][P]>> };
} & Pick<WarrantBridge, 'onEvents' | 'pathForFile'>;

type AnyProcedure = (input: unknown) => Promise<WireResult<unknown>>;

function unwrapped(call: AnyProcedure): (input: unknown) => Promise<unknown> {
  return async (input) => {
    const result = await call(input).catch((caught: unknown) => ({ ok: false as const, error: wireErrorOf(caught) }));
    if (!result.ok) throw new BridgeError(result.error);
    return result.value;
  };
}

/** Makes the client. The names come from the contract's own list, so a procedure that the bridge lacks is a fault at once. */
export function createClient(bridge: WarrantBridge): Client {
  const areas: Record<string, Record<string, (input: unknown) => Promise<unknown>>> = {};
  for (const [area, names] of Object.entries(PROCEDURES)) {
    const given = bridge[area as Area] as unknown as Record<string, AnyProcedure>;
    areas[area] = Object.fromEntries(
      names.map((name) => [name, unwrapped((input) => (given[name] ?? missing(area, name))(input))]),
    );
  }
  return {
    ...(areas as unknown as Client),
    onEvents: (listener) => bridge.onEvents(listener),
    pathForFile: (file) => bridge.pathForFile(file),
  };
}

function missing(area: string, name: string): AnyProcedure {
  return async () => ({
    ok: false,
    error: { code: 'ipc.unknown-procedure', message: `This window has no ${area}.${name}.`, retryable: false },
  });
}
