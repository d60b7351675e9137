import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { type Bytes, synthesizeSpeech } from './support/audio.js';
import { Client, expectStatus, type JobEvent } from './support/client.js';
import { expectContiguous, isTerminal } from './support/events.js';
import { Program } from './support/program.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

const TEXT = 'There are ninety tables between the office and the bridge.';

/** Short chunks and a low threshold for small files: a few seconds of speech produce several steps. */
const SETTINGS = {
  CHUNK_SECONDS: '5',
  CHUNK_MAX_SECONDS: '10',
  SMALL_FILE_BYTES: '1024',
  STREAM_HEARTBEAT_SECONDS: '1',
  STREAM_WAITING_SECONDS: '1',
};

let service: Service;
let client: Client;
let audio: Bytes;
let short: Bytes;

beforeAll(async () => {
  service = await Service.start(SETTINGS);
  client = await service.client();
  short = await synthesizeSpeech('Good morning.');
  audio = await synthesizeSpeech([TEXT, TEXT, TEXT, TEXT].join(' '));
});
afterAll(() => service?.stop());

/** A stream that is read in the background, comments included. */
function listen(caller: Client, jobId: string, lastEventId?: string) {
  const disconnect = new AbortController();
  const receivedEvents: JobEvent[] = [];
  const request = { signal: disconnect.signal, ...(lastEventId !== undefined && { lastEventId }) };
  const ended = (async () => {
    for await (const event of caller.stream(jobId, request)) receivedEvents.push(event);
  })();
  const over = ended.catch((error: unknown) => {
    if (!disconnect.signal.aborted) throw error;
  });
  return {
    received: receivedEvents,
    ended: over,
    events: () => receivedEvents.filter(({ name }) => name !== ''),
    disconnect: async () => {
      disconnect.abort();
      await over;
    },
  };
}

describe('§6.1 the stream of a job', () => {
  it('stays open with heartbeats during the upload, then follows the job to its end', async () => {
    const { job_id } = await client.upload(audio);
    const stream = listen(client, job_id);
    await until('two heartbeats arrived', () => stream.received.length >= 2);
    expect(stream.events()).toEqual([]);
    await client.complete(job_id);
    await stream.ended;
    const events = stream.events();
    expectContiguous(events);
    const steps = events.slice(0, -1).map(({ data }) => data['step']);
    expect(steps[0]).toBe('preprocess');
    expect(steps.at(-1)).toBe('aggregation');
    const chunks = steps.slice(1, -1);
    expect(chunks.length).toBeGreaterThan(1);
    expect(new Set(chunks)).toEqual(new Set(chunks.map((_, index) => `chunk:${index}`)));
    expect(events.slice(0, -1).map(({ data }) => data['completed'])).toEqual(
      steps.map((_, index) => index + 1),
    );
    for (const { data } of events.slice(0, -1)) expect(data['total']).toBe(steps.length);
  });

  it('is the same for several clients whenever they connect', async () => {
    const { job_id } = await client.upload(audio);
    const early = [listen(client, job_id), listen(client, job_id), listen(client, job_id)];
    await client.complete(job_id);
    await until('the first step is reported', () => early.every((each) => each.events().length > 0));
    const late = [listen(client, job_id, '0'), listen(client, job_id, '0')];
    const all = [...early, ...late];
    await Promise.all(all.map(({ ended }) => ended));
    const collected = all.map((each) =>
      each.events().map(({ id, name, data }) => ({ id, name, step: data['step'] })),
    );
    expect(collected[0]?.length).toBeGreaterThan(3);
    for (const events of collected) expect(events).toEqual(collected[0]);
  });

  it('delivers every event once when it is interrupted after every event and resumed', async () => {
    const { job_id } = await client.submit(audio);
    const events: JobEvent[] = [];
    while (!events.some(isTerminal)) {
      const lastEventId = events.at(-1)?.id ?? '0';
      for await (const event of client.stream(job_id, { lastEventId })) {
        if (event.name === '') continue;
        events.push(event);
        break;
      }
    }
    expect(events.length).toBeGreaterThan(3);
    expectContiguous(events);
  });
});

describe('§4.9 Last-Event-ID of a finished job', () => {
  let jobId: string;
  let all: string[];
  const listIds = async (lastEventId: string) => {
    const events = await client.events(jobId, { lastEventId });
    expect(events.filter(isTerminal)).toHaveLength(1);
    return events.map(({ id }) => id);
  };

  beforeAll(async () => {
    jobId = (await client.submit(short)).job_id;
    all = (await client.events(jobId)).map(({ id }) => id);
  });

  it('replays the later events, and after the last event repeats the terminal one', async () => {
    for (const [index] of all.entries()) expect(await listIds(String(index))).toEqual(all.slice(index));
    expect(await listIds(all.at(-1) ?? '')).toEqual(all.slice(-1));
  });

  it('that does not belong to the job replays from the start', async () => {
    for (const invalidId of ['999', '-1', '1.5', 'x', '99999999999999999999', '1e3', '1 OR 1=1', '0x1'])
      expect(await listIds(invalidId)).toEqual(all);
  });

  it('that is absent sends only the terminal event with its own id', async () => {
    for (const requestOptions of [{}, { lastEventId: '' }]) {
      const collected: JobEvent[] = [];
      for await (const event of client.stream(jobId, requestOptions)) collected.push(event);
      expect(collected).toMatchObject([{ id: all.at(-1), name: 'completed', data: { job_id: jobId } }]);
    }
  });
});

describe('§6.1 a saturated stream pool', () => {
  let apiWithLowLimits: Program;
  let caller: Client;

  beforeAll(async () => {
    const port = await findFreePort();
    const env = { ...service.settings, PORT: String(port), MAX_CONCURRENT_STREAMS: '1' };
    apiWithLowLimits = Program.launch('api', [], env, service.logFile);
    await apiWithLowLimits.waitUntilReady();
    caller = new Client(`http://127.0.0.1:${port}`, await service.apiKey());
  });
  afterAll(() => apiWithLowLimits?.stop());

  it('accepts the connection, sends waiting with position and ETA, and serves the stream when a slot is free', async () => {
    const first = await client.upload(short);
    const second = await client.upload(short);
    const third = await client.upload(short);
    const served = listen(caller, first.job_id);
    await until('the first stream is served', () => served.received.length > 0);

    const waiting = listen(caller, second.job_id, '0');
    await until('it is first in the queue', () => waiting.events().length >= 2);
    const waitingListener = listen(caller, third.job_id, '0');
    await until('the other one is queued, too', () => waitingListener.events().length > 0);
    for (const { name, data } of waiting.events()) {
      expect(name).toBe('waiting');
      expect(data).toEqual({ position: 1, eta_seconds: expect.any(Number) });
      expect(data['eta_seconds']).toBeGreaterThanOrEqual(1);
    }
    expect(waitingListener.events()[0]).toMatchObject({ name: 'waiting', data: { position: 2 } });

    for (const { job_id } of [first, second, third]) expectStatus(200, await client.complete(job_id));
    await Promise.all([served.ended, waiting.ended, waitingListener.ended]);
    for (const stream of [served, waiting, waitingListener])
      expectContiguous(stream.events().filter(({ name }) => name !== 'waiting'));
  });

  it('serves the stream of an ended job without a slot, and a waiting one when its job ends', async () => {
    const open = await client.upload(short);
    const ending = await client.upload(short);
    const active = listen(caller, open.job_id);
    await until('the slot is in use', () => active.received.length > 0);
    const waiting = listen(caller, ending.job_id, '0');
    await until('it waits', () => waiting.events().length > 0);
    expectStatus(200, await client.complete(ending.job_id));
    await waiting.ended;
    expectContiguous(waiting.events().filter(({ name }) => name !== 'waiting'));
    const ended = listen(caller, ending.job_id);
    await ended.ended;
    expect(ended.events().map(({ name }) => name)).toEqual(['completed']);
    await active.disconnect();
  });

  it('frees the slot or queue position of a client that disconnects', async () => {
    const open = await client.upload(short);
    const other = await client.upload(short);
    const activeListener = listen(caller, open.job_id);
    await until('the slot is in use', () => activeListener.received.length > 0);
    const disconnectedListener = listen(caller, other.job_id, '0');
    await until('a client is in the queue', () => disconnectedListener.events().length > 0);
    const waitingListener = listen(caller, other.job_id, '0');
    await until('the next client is second in the queue', () =>
      waitingListener.events().some(({ data }) => data['position'] === 2),
    );
    await disconnectedListener.disconnect();
    await until('the next client is first in the queue', () =>
      waitingListener.events().some(({ data }) => data['position'] === 1),
    );
    await activeListener.disconnect();
    expectStatus(200, await client.complete(other.job_id));
    await waitingListener.ended;
    expectContiguous(waitingListener.events().filter(({ name }) => name !== 'waiting'));
  });
});
