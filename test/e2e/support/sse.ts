/** A message of a stream: an event, or a comment (then `event` is empty and `data` is its text). */
export interface StreamMessage {
  /** The last id of the stream so far; empty before the first one. */
  id: string;
  event: string;
  data: string;
}

/** Reads server-sent events, comments included. An incomplete message at the end is dropped. */
export async function* readMessages(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  let id = '';
  let event = '';
  let data: string[] = [];
  for await (const line of readLines(bytes)) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (line === '') {
      if (data.length > 0) yield { id, event: event || 'message', data: data.join('\n') };
      event = '';
      data = [];
    } else if (field === '') yield { id, event: '', data: value };
    else if (field === 'id') id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
}

async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of bytes) {
    rest += decoder.decode(part, { stream: true });
    const lines = rest.split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
