// The service's own id of a call rides in the call's metadata, under a key of ours, so that it can be sent back.

const KEY = 'warrant';

/** Metadata for a call event: what the SDK gave, and the service's id. */
export function callMetadata(
  provider: Record<string, unknown> | undefined,
  providerId: string,
): Record<string, unknown> {
  return { ...provider, [KEY]: { providerId } };
}

/** The service's id in a call's metadata, null when there is none. */
export function providerIdOf(metadata: Record<string, unknown> | undefined): string | null {
  const own = metadata?.[KEY];
  if (typeof own !== 'object' || own === null || !('providerId' in own)) return null;
  return typeof own.providerId === 'string' && own.providerId !== '' ? own.providerId : null;
}

/** The metadata without our key; undefined when nothing is left. */
export function withoutOwnMetadata(metadata: Record<string, unknown>): Record<string, unknown> | undefined {
  const { [KEY]: _own, ...rest } = metadata;
  return Object.keys(rest).length > 0 ? rest : undefined;
}
