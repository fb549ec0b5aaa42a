// A body as text, with a bound: what comes after the bound is dropped with its connection.

/** At most `maxBytes` of a response's body, as text. Reads no further than that. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    bytes += chunk.byteLength;
    if (bytes >= maxBytes) break;
  }
  return text + decoder.decode();
}
