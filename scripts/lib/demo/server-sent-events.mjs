/**
 * Parses a stream of server-sent events.
 *
 * @param {AsyncIterable<Uint8Array>} bytes
 * @returns {AsyncGenerator<{ id: string, event: string, data: string }>} comments and events without data are omitted;
 *   `id` is the last one received
 */
export async function* parseServerSentEvents(bytes) {
  const decoder = new TextDecoder();
  let rest = '';
  let id = '';
  let current = { event: 'message', data: [] };
  for await (const part of bytes) {
    rest += decoder.decode(part, { stream: true });
    // A CR at the end may be the first half of CR LF.
    const complete = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
    const lines = complete.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + rest.slice(complete.length);
    for (const line of lines) {
      if (line === '') {
        if (current.data.length > 0) yield { id, event: current.event, data: current.data.join('\n') };
        current = { event: 'message', data: [] };
        continue;
      }
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'id') id = value;
      if (field === 'event') current.event = value;
      if (field === 'data') current.data.push(value);
    }
  }
}
