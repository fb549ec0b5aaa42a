// The door between windows and the app: checks the sender, validates the input, calls the handler, and puts the answer
// into an envelope. Nothing is thrown across.
import { AppError, toWireError } from '../base/app-error.ts';
import { api, type Procedure } from '../contract/api.ts';
import { channelOf, PROCEDURES } from '../contract/channels.ts';
import type { WireResult } from '../contract/errors.ts';
import type { z } from 'zod';
import type { App } from '../app/create-app.ts';
import type { Caller } from '../app/handlers.ts';
import type { Sender, Transport } from './transport.ts';

type AnyProcedure = Procedure<z.ZodType, z.ZodType>;
type AnyHandler = (input: unknown, caller: Caller) => Promise<unknown>;

/** Serves every procedure of the contract over a transport, and pushes the app's events to its windows. */
export function createRouter(app: App, transport: Transport): void {
  for (const [area, names] of Object.entries(PROCEDURES)) {
    for (const name of names) {
      const procedure = lookUp<AnyProcedure>(api, area, name);
      const handler = lookUp<AnyHandler>(app.handlers, area, name);
      transport.serve(channelOf(area, name), (sender, input) => answer({ procedure, handler, sender, input, app }));
    }
  }
  app.events.onBatch((windowId, events) => {
    transport.push(windowId, events);
  });
  transport.onWindowGone((windowId) => {
    app.windowGone(windowId);
  });
}

/** The contract's and the handlers' shapes are equal by their types; names come from the contract's plain list. */
function lookUp<T>(table: object, area: string, name: string): T {
  return (table as Record<string, Record<string, T>>)[area]?.[name] as T;
}

async function answer(call: {
  procedure: AnyProcedure;
  handler: AnyHandler;
  sender: Sender;
  input: unknown;
  app: App;
}): Promise<WireResult<unknown>> {
  try {
    if (!call.sender.trusted) {
      throw new AppError('ipc.forbidden-sender', 'This page may not talk to Warrant.');
    }
    const parsed = call.procedure.input.safeParse(call.input ?? {});
    if (!parsed.success) {
      const issues = parsed.error.issues
        .slice(0, 5)
        .map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
      throw new AppError('ipc.invalid-input', `The window sent something that does not fit: ${issues.join('; ')}.`, {
        details: { issues },
      });
    }
    const value = await call.handler(parsed.data, { windowId: call.sender.windowId });
    return { ok: true, value: value ?? null };
  } catch (error) {
    call.app.logger.error('procedure failed', error);
    return { ok: false, error: toWireError(error) };
  }
}
