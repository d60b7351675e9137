import Fastify from 'fastify';
import { Observable, of, Subject } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventText, sendEvents } from './send-events.js';

describe('eventText', () => {
  it.each([
    [
      { type: 'progress', id: '3', data: { completed: 1 } },
      'event: progress\nid: 3\ndata: {"completed":1}\n\n',
    ],
    [{ comment: 'heartbeat' }, ': heartbeat\n\n'],
    [
      { type: 'transcript', data: 'one\ntwo\r\n\rthree' },
      'event: transcript\ndata: one\ndata: two\ndata: \ndata: three\n\n',
    ],
    [{ type: 'transcript', data: '' }, 'event: transcript\ndata: \n\n'],
  ])('writes %j', (event, text) => {
    expect(eventText(event)).toBe(text);
  });
});

describe('sendEvents', () => {
  const app = { close: () => Promise.resolve() };
  afterEach(() => app.close());

  async function serve(events: Observable<{ data: string }>): Promise<string> {
    const fastify = Fastify({ forceCloseConnections: true });
    app.close = () => fastify.close();
    fastify.get('/', (_, reply) => {
      void reply.header('x-request-id', 'request-1');
      sendEvents(reply, events, 1_000);
    });
    return fastify.listen();
  }

  it('keeps the headers that were set before, and ends with the events', async () => {
    const answer = await fetch(await serve(of({ data: 'all' })));
    expect(answer.headers.get('x-request-id')).toBe('request-1');
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(await answer.text()).toBe('\ndata: all\n\n');
  });

  it('answers before there is an event, and lets go of them when the client has gone', async () => {
    const left = vi.fn<() => void>();
    const origin = await serve(new Observable(() => left));
    const client = new AbortController();
    expect((await fetch(origin, { signal: client.signal })).status).toBe(200);
    expect(left).not.toHaveBeenCalled();
    client.abort();
    await expect.poll(() => left.mock.calls.length).toBe(1);
  });

  it('cuts the connection when the events fail', async () => {
    const events = new Subject<{ data: string }>();
    const answer = await fetch(await serve(events));
    events.error(new Error('no more'));
    await expect(answer.text()).rejects.toThrow('terminated');
  });
});
