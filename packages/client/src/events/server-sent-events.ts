export interface ServerSentEvent {
  event: string;
  /** Id of this event or an earlier one. */
  id: string | undefined;
  data: string;
  /** Milliseconds to wait before the next connection, if the stream has said so. */
  retry: number | undefined;
}

/**
 * Parses an event stream. An event that is cut off is dropped, as the standard demands.
 * @param onBytes called for everything that arrives
 * @param onComment called for every heartbeat
 */
export async function* parseServerSentEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => undefined,
  onComment: () => void = () => undefined,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let [event, id, retry] = ['', undefined as string | undefined, undefined as number | undefined];
  let data: string[] = [];
  for await (const line of readLines(body, onBytes)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', id, data: data.join('\n'), retry };
      [event, data] = ['', []];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (colon === 0) onComment();
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) retry = Number(value);
  }
}

/** Lines end with LF or CRLF; a last line without an end is not one. */
async function* readLines(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
  } finally {
    // Closes the connection when the consumer stops early.
    await reader.cancel().catch(() => undefined);
  }
}
