// Whatever was thrown or told while a model was asked, as the `error` event of the Model port. The key never gets into it.
import { APICallError } from '@ai-sdk/provider';
import { AppError, isAppError, toWireError } from '../base/app-error.ts';
import type { WireError } from '../contract/errors.ts';
import { retryAfterMs, serviceFailure, type ServiceReport } from './service-failure.ts';
import { isObject } from './wire-traits.ts';

export interface Failure {
  readonly error: WireError;
  readonly retryAfterMs: number | null;
}

export interface FailureContext {
  /** Where the request went, for people. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Whether the response had begun: then a lost connection has cut an answer. */
  readonly started: boolean;
}

const TLS_CODE = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_MISMATCH)/;

/** The system's error code of an error or of what caused it, null when there is none. */
function systemCode(error: unknown): string | null {
  let current = error;
  for (let depth = 0; depth < 6 && isObject(current); depth++) {
    const code = current['code'];
    if (typeof code === 'string' && code !== '') return code;
    const errors = current['errors'];
    current = Array.isArray(errors) && errors.length > 0 ? errors[0] : current['cause'];
  }
  return null;
}

function innermostAppError(error: unknown): AppError | null {
  let current = error;
  for (let depth = 0; depth < 6 && isObject(current); depth++) {
    if (isAppError(current)) return current;
    current = current['cause'];
  }
  return null;
}

function networkFailure(code: string, context: FailureContext): AppError {
  const where = context.baseUrl;
  const details = { system: code };
  if (context.started) {
    const words = 'The connection to the model service broke before the answer was complete. Try again.';
    return new AppError('provider.stream-cut', words, { details });
  }
  if (TLS_CODE.test(code)) {
    const words = `The connection to ${where} is not secure: its certificate or its encryption was not accepted (${code}). Check the address, and whether this network inspects encrypted traffic.`;
    return new AppError('provider.rejected', words, { details });
  }
  const words: Record<string, string> = {
    ECONNREFUSED: `Nothing answers at ${where}. Start the model server, or check the address in the settings.`,
    ENOTFOUND: `The name in ${where} is not known. Check the address, and whether this machine is online.`,
    EAI_AGAIN: `The name in ${where} could not be looked up. Check whether this machine is online.`,
    ECONNRESET: `${where} closed the connection before it answered. Try again.`,
  };
  const sentence = words[code] ?? `${where} could not be reached (${code}). Check whether this machine is online.`;
  return new AppError('provider.unavailable', sentence, { details });
}

function reportOf(error: APICallError): ServiceReport | null {
  if (error.statusCode === undefined || error.statusCode < 300) return null;
  return { status: error.statusCode, headers: error.responseHeaders ?? {}, body: error.responseBody ?? error.message };
}

/** An error part of a stream: the service's own object, with or without the SDK's wrapping. */
function toldInStream(error: unknown): ServiceReport | null {
  if (typeof error === 'string') return { status: null, headers: {}, body: JSON.stringify({ message: error }) };
  if (!isObject(error) || error instanceof Error) return null;
  return { status: null, headers: {}, body: JSON.stringify(isObject(error['data']) ? error['data'] : error) };
}

function fallback(context: FailureContext): AppError {
  return context.started
    ? new AppError('provider.stream-cut', 'The answer of the model service ended in the middle. Try again.')
    : new AppError('provider.bad-response', 'The model service sent an answer that cannot be understood. Try again.');
}

function reportIn(error: unknown): ServiceReport | null {
  return APICallError.isInstance(error) ? reportOf(error) : toldInStream(error);
}

function toAppError(error: unknown, report: ServiceReport | null, context: FailureContext): AppError {
  const own = innermostAppError(error);
  if (own !== null) return own;
  if (report !== null) return serviceFailure(report);
  const code = systemCode(error);
  return code === null || /^AI_/.test(code) ? fallback(context) : networkFailure(code, context);
}

/** Takes the key out of every text of an error. */
function withoutKey(error: WireError, apiKey: string | null): WireError {
  if (apiKey === null || apiKey.length < 4) return error;
  const text = JSON.stringify(error);
  if (!text.includes(apiKey)) return error;
  return JSON.parse(text.replaceAll(apiKey, '[key]')) as WireError;
}

/** Shorter waits are kept by Warrant itself, and told while it waits. */
const TOLD_FROM_MS = 60_000;

/** A long wait that a service asks for, in words: the person has to come back after it. */
function withWait(error: WireError, waitMs: number | null): WireError {
  if (waitMs === null || waitMs <= TOLD_FROM_MS) return error;
  const minutes = Math.ceil(waitMs / 60_000);
  const words = minutes < 120 ? `${String(minutes)} minutes` : `${String(Math.ceil(minutes / 60))} hours`;
  return {
    ...error,
    message: `${error.message} It asks to wait ${words} before the next try.`,
    details: { ...error.details, retryAfterMs: waitMs },
  };
}

/** Never throws; anything not recognised is a cut stream once it had begun, an unreadable answer before. */
export function toFailure(thrown: unknown, context: FailureContext, nowMs: number = Date.now()): Failure {
  const report = reportIn(thrown);
  let error = toWireError(toAppError(thrown, report, context));
  const keyless = context.apiKey === null || context.apiKey === '';
  if (keyless && error.code === 'provider.auth') {
    const words = 'This model service wants a key and none is set. Add one in the settings.';
    error = toWireError(new AppError('provider.no-key', words, error.details ? { details: error.details } : {}));
  }
  const waitMs = report === null ? null : retryAfterMs(report, nowMs);
  return { error: withoutKey(withWait(error, waitMs), context.apiKey), retryAfterMs: waitMs };
}
