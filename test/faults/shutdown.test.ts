import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, silentWav, synthesizeSpeech } from '../e2e/support/audio.js';
import { type Client, expectStatus, type JobEvent } from '../e2e/support/client.js';
import { expectContiguous, isTerminal } from '../e2e/support/events.js';
import { startSlowPut } from '../e2e/support/slow-put.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { until } from '../e2e/support/until.js';
import { FakeTranscriptionServer } from '../support/fake-transcription-server.js';
import { System } from './support/system.js';

const STREAMS = 20;
const MAX_SHUTDOWN_SECONDS = 30;

describe(`SIGTERM to all programs, with ${STREAMS} streams, an upload and a running job`, () => {
  let system: System;
  let client: Client;
  let speech: Bytes;

  beforeAll(async () => {
    const env = { CHUNK_SECONDS: '5', CHUNK_MAX_SECONDS: '10', SMALL_FILE_BYTES: '1024' };
    system = await System.start({ queue: 'redis', apis: 1, processors: 1, env });
    client = await system.client();
    speech = await synthesizeSpeech('There are ninety tables between the office and the bridge. '.repeat(6));
  });
  afterAll(() => system?.stop());

  it(`every program exits with code 0 within ${MAX_SHUTDOWN_SECONDS} s, and the job continues after a restart`, async () => {
    const { job_id } = await client.submit(speech);
    const eventsByStream: JobEvent[][] = Array.from({ length: STREAMS }, () => []);
    const streams = eventsByStream.map(async (events) => {
      for await (const event of client.stream(job_id, { lastEventId: '0' }))
        if (event.name) events.push(event);
    });
    const created = await client.create({ file_size: speech.length });
    const upload = startSlowPut(created.upload_url, created.content_type, speech.length);
    await upload.send(speech.slice(0, 10_000));
    await until('every stream reported that the job runs', () =>
      eventsByStream.every(({ length }) => length > 0),
    );

    const startedAt = performance.now();
    const ends = await Promise.all(system.programs.map((program) => program.stop()));
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(`all programs ended ${seconds.toFixed(1)} s after SIGTERM`);
    expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null })));
    expect(seconds).toBeLessThan(MAX_SHUTDOWN_SECONDS);
    // The response of a stream ends regularly, without a connection error.
    await Promise.all(streams);
    for (const events of eventsByStream) expect(events.some(isTerminal)).toBe(false);
    await expect(upload.pendingResponse).rejects.toThrow();

    await Promise.all(system.programs.map((program) => program.restart()));
    for (const events of eventsByStream) {
      const remainingEvents = await client.events(job_id, { lastEventId: events.at(-1)?.id ?? '' });
      expectContiguous([...events, ...remainingEvents]);
    }
    expect(await client.job(job_id)).toMatchObject({ status: 'completed' });
    // The bytes of the interrupted upload are missing and can be sent again.
    expect((await client.complete(created.job_id)).status).toBe(400);
    expectStatus(200, await client.put(created.upload_url, speech, created.content_type));
    expectStatus(200, await client.complete(created.job_id));
    await system.waitUntilAllEnded(MAX_SHUTDOWN_SECONDS * 1_000);
    expect(await system.findInvariantViolations()).toEqual([]);
  });
});

describe('SIGTERM to a processor while its engine and its webhook receiver hang', () => {
  let engine: FakeTranscriptionServer;
  let receiver: WebhookReceiver;
  let system: System;

  beforeAll(async () => {
    [engine, receiver] = await Promise.all([FakeTranscriptionServer.start(), WebhookReceiver.start()]);
    const engineSettings = {
      ENGINE: 'openai',
      OPENAI_BASE_URL: engine.baseUrl,
      OPENAI_MODEL: 'tones',
      CHUNK_CONCURRENCY: '4',
    };
    const env = { ...engineSettings, WEBHOOK_BACKOFF_SECONDS: '0,0,0', SHUTDOWN_SECONDS: '25' };
    system = await System.start({ queue: 'postgres', apis: 1, processors: 1, env });
  });
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
    await engine?.stop();
  });

  it('the processor exits with code 0, starts no further webhook, and releases the chunk', async () => {
    const client = await system.client();
    engine.queueMisbehaviours(() => undefined);
    const { job_id } = await client.submit(await synthesizeSpeech('There is a table.'));
    await until('the chunk is being transcribed', () => engine.openRequests.size > 0);
    await client.submit(silentWav(0.5), { callback_url: receiver.reply('/hangs', 'hang') });
    await until('a webhook is being sent', () => receiver.requestsTo('/hangs').length > 0);
    const startedAt = performance.now();
    const [processor] = system.processors;
    expect(await processor?.stop()).toEqual({ code: 0, signal: null });
    console.log(
      `the processor ended ${((performance.now() - startedAt) / 1_000).toFixed(1)} s after SIGTERM`,
    );
    expect(receiver.requestsTo('/hangs')).toHaveLength(1);
    const stages = `SELECT state, attempts FROM job_stage WHERE job_id = $1 AND queue = 'chunk'`;
    expect(await system.queryRows(stages, job_id)).toEqual([{ state: 'pending', attempts: 0 }]);
  });
});
