import { describe, expect, it } from 'vitest';
import {
  connectionFailureHandler,
  FakeService,
  createSequentialHandler,
  createProblemResponse,
} from '../testing/fake-service.js';
import type { JobStreamEvent } from '../types.js';

const PATH = 'GET /api/v1/jobs/j/stream';
const progress = (id: number) =>
  `event: progress\nid: ${id}\ndata: {"completed":${id},"total":3,"step":"chunk:0"}\n\n`;
const completed = (id: number) => `event: completed\nid: ${id}\ndata: {"job_id":"j","output_type":"txt"}\n\n`;
const events = (text: string) => () =>
  new Response(text, { headers: { 'content-type': 'text/event-stream' } });
const brokenAfter = (text: string) => () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      pull: (controller) => controller.error(new TypeError('terminated')),
    }),
  );

async function collect(service: FakeService, options = {}): Promise<string[]> {
  const seen: JobStreamEvent[] = [];
  for await (const event of service.client(options).jobs.stream('j')) seen.push(event);
  return seen.map(({ event, id }) => `${event} ${id}`);
}

describe('jobs.stream', () => {
  it('continues after the last event when the connection breaks, and returns each event once', async () => {
    const service = new FakeService({
      [PATH]: createSequentialHandler(
        brokenAfter(progress(1) + progress(2)),
        events(progress(1) + progress(2) + progress(3)),
        connectionFailureHandler,
        events(completed(4)),
      ),
    });
    expect(await collect(service)).toEqual(['progress 1', 'progress 2', 'progress 3', 'completed 4']);
    expect(service.requests.map(({ headers }) => headers.get('last-event-id'))).toEqual([
      null,
      '2',
      '3',
      '3',
    ]);
  });

  it('returns the end that a caller has seen before, once', async () => {
    const service = new FakeService({ [PATH]: events(completed(4) + completed(4)) });
    expect(await collect(service)).toEqual(['completed 4']);
  });

  it('ignores events that it does not know', async () => {
    const service = new FakeService({ [PATH]: events(`event: new\nid: 1\ndata: -\n\n${completed(2)}`) });
    expect(await collect(service)).toEqual(['completed 2']);
  });

  it('waits as long as retry says after a stream that is full', async () => {
    const full = 'event: waiting\nid: 0\nretry: 5\ndata: {"position":9,"eta_seconds":3}\n\n';
    const service = new FakeService({ [PATH]: createSequentialHandler(events(full), events(completed(1))) });
    expect(await collect(service)).toEqual(['waiting 0', 'completed 1']);
  });

  it('counts no connection as failed on which a heartbeat arrived, however many there are', async () => {
    const heartbeat = brokenAfter(': heartbeat\n\n');
    const service = new FakeService({
      [PATH]: createSequentialHandler(
        connectionFailureHandler,
        heartbeat,
        events(': heartbeat\n\n'),
        heartbeat,
        connectionFailureHandler,
        events(completed(1)),
      ),
    });
    expect(await collect(service, { maxRetries: 1 })).toEqual(['completed 1']);
  });

  it('gives up on a page of something else, which is no heartbeat', async () => {
    const service = new FakeService({ [PATH]: events('<html>\n<p>Sign in: now\n</html>\n') });
    await expect(collect(service, { maxRetries: 1 })).rejects.toThrow('ended without');
    expect(service.lines).toHaveLength(2);
  });

  it('gives up after maxRetries connections without an event', async () => {
    const service = new FakeService({ [PATH]: connectionFailureHandler });
    await expect(collect(service, { maxRetries: 1 })).rejects.toThrow('fetch failed');
    expect(service.lines).toHaveLength(2);
  });

  it('gives up after maxRetries streams that ended without an event', async () => {
    const service = new FakeService({ [PATH]: events('') });
    await expect(collect(service, { maxRetries: 1 })).rejects.toThrow('ended without');
    expect(service.lines).toHaveLength(2);
  });

  it('throws what cannot pass at once', async () => {
    const service = new FakeService({ [PATH]: () => createProblemResponse(404, 'job_not_found') });
    await expect(collect(service)).rejects.toMatchObject({ code: 'job_not_found' });
    expect(service.lines).toHaveLength(1);
  });
});
