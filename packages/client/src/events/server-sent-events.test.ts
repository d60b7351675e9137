import { describe, expect, it } from 'vitest';
import { parseServerSentEvents, type ServerSentEvent } from './server-sent-events.js';

async function parse(...chunks: string[]): Promise<ServerSentEvent[]> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  const events: ServerSentEvent[] = [];
  for await (const event of parseServerSentEvents(body)) events.push(event);
  return events;
}

describe('the parser of event streams', () => {
  it('reads events however the bytes are split', async () => {
    const text =
      'event: progress\r\nid: 1\r\ndata: {"a":\r\ndata: 1}\r\n\r\n: heartbeat\nretry: 50\nevent:done\ndata:x\n\n';
    const whole = await parse(text);
    expect(whole).toEqual([
      { event: 'progress', id: '1', data: '{"a":\n1}', retry: undefined },
      { event: 'done', id: '1', data: 'x', retry: 50 },
    ]);
    expect(await parse(...text.split(''))).toEqual(whole);
  });

  it('drops an event that was cut off', async () => {
    expect(await parse('data: 1\n\ndata: 2\n')).toHaveLength(1);
  });

  it('cancels the body when the consumer stops early', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
      cancel: () => void (isCancelled = true),
    });
    for await (const event of parseServerSentEvents(body)) if (event.data === 'x') break;
    expect(isCancelled).toBe(true);
  });
});
