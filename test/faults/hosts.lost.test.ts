import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentWav, synthesizeSpeech } from '../e2e/support/audio.js';
import type { Client } from '../e2e/support/client.js';
import { expectContiguous, followThroughDisconnects, isTerminal } from '../e2e/support/events.js';
import {
  collectMessages,
  openTranscribeRequest,
  transcribeStreamed,
  waitForResponse,
} from '../e2e/support/streamed-transcription.js';
import { until } from '../e2e/support/until.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { DistributedSystem } from './support/hosts/distributed-system.js';
import { HostNetwork } from './support/hosts/host-network.js';
import { SteadyLoad } from './support/hosts/steady-load.js';
import { recordWebhooks } from './support/observe-jobs.js';

const TEXT = 'There are ninety tables between the office and the bridge. ';
const START_MS = 120_000;
const ENDED_MS = 60_000;
const TEST_MS = 240_000;
const STREAMS = 6;
const UPLOADS = 8;
/** In two thirds of the time after which the proxy gives up on a silent API. */
const STREAM_CUT_MS = 40_000;
/** Half as much again as that time: nothing ends them sooner that would not end those to a slow API (`slow-api`). */
const UPLOAD_CUT_MS = 90_000;
const JOBS = 10;

const network = await HostNetwork.create();
const skipReason = typeof network === 'string' ? network : null;
if (skipReason !== null) console.log(`Skipped lost hosts: ${skipReason}.`);

describe.skipIf(skipReason !== null)('a host that disappears for good', { timeout: TEST_MS }, () => {
  let system: DistributedSystem;
  let client: Client;
  let receiver: WebhookReceiver;
  const observations = new ObservationRecorder();

  beforeAll(async () => {
    if (typeof network === 'string') return;
    const env = { CHUNK_SECONDS: '5', CHUNK_MAX_SECONDS: '10', SMALL_FILE_BYTES: '1024' };
    system = await DistributedSystem.start(network, { queue: 'redis', env });
    receiver = await WebhookReceiver.start(system.network.callerAddress);
    client = await system.openAccount();
  }, START_MS);
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
  });

  it('a processor host: the other processor completes every job, and each step is counted once', async () => {
    const load = await SteadyLoad.start('processor', client, receiver.reply('/hook', 200), observations);
    const { job_id } = await client.submit(await synthesizeSpeech(TEXT.repeat(8)));
    await until('a chunk runs on each processor', async () => (await countRunningChunks(job_id)) > 1);
    const lostAt = performance.now();
    const [lost] = system.processors;
    if (lost) await system.loseHost(lost);
    expectContiguous(await followThroughDisconnects(client, job_id));
    const seconds = ((performance.now() - lostAt) / 1_000).toFixed(1);
    await load.waitForJobs(JOBS);
    const report = await load.stop();
    const endedSeconds = await system.records.waitUntilAllEnded(ENDED_MS);
    console.log(
      `a processor host disappeared: its job ended ${seconds} s later; ${report}; all ended ${endedSeconds.toFixed(1)} s after the last`,
    );
    expect(await client.job(job_id)).toMatchObject({ status: 'completed' });
  });

  it('an API host: the other API serves, streams continue without a gap, and uploads are repeated', async () => {
    const load = await SteadyLoad.start('api', client, receiver.reply('/hook', 200), observations);
    const { job_id } = await client.submit(await synthesizeSpeech(TEXT.repeat(4)));
    let begun = 0;
    const streams = Array.from({ length: STREAMS }, () =>
      followThroughDisconnects(client, job_id, async (count) => void (begun += count === 1 ? 1 : 0), TEST_MS),
    );
    const uploads = Array.from({ length: UPLOADS }, () => beginUpload(silentWav(20)));
    await until('every stream has begun', () => begun === STREAMS);
    const silence = silentWav(1);
    const pending = await client.create({ file_size: silence.length });
    const idle = await Promise.all(Array.from({ length: STREAMS }, () => openIdleStream(pending.job_id)));

    const lostAt = performance.now();
    const [lost] = system.apis;
    if (lost) await system.loseHost(lost);
    // Now, because an API ends an upload that pauses for long.
    const uploadsEnded = Promise.all(uploads.map(({ finish }) => finish()));
    const uploadsCut = Promise.all(uploads.map(({ response }) => response)).then(
      () => performance.now() - lostAt,
    );
    const cutMs = await Promise.race(idle.map(({ ended }) => ended)).then(() => performance.now() - lostAt);
    expect(cutMs).toBeLessThan(STREAM_CUT_MS);
    await client.put(pending.upload_url, silence, pending.content_type);
    expect((await client.complete(pending.job_id)).status).toBe(200);
    expect(await uploadsCut).toBeLessThan(UPLOAD_CUT_MS);
    const outcomes = await uploadsEnded;
    const uploadSeconds = ((performance.now() - lostAt) / 1_000).toFixed(1);
    // Connections are distributed over both APIs.
    expect(new Set(outcomes)).toEqual(new Set(['completed', 'repeated']));
    for (const events of await Promise.all(streams)) expectContiguous(events);
    const streamSeconds = ((performance.now() - lostAt) / 1_000).toFixed(1);
    await load.waitForJobs(JOBS);
    const report = await load.stop();
    const endedSeconds = await system.records.waitUntilAllEnded(ENDED_MS);
    console.log(
      `an API host disappeared: an idle stream was cut ${(cutMs / 1_000).toFixed(1)} s later, uploads ended ${uploadSeconds} s later, streams ended ${streamSeconds} s later; ${report}; all ended ${endedSeconds.toFixed(1)} s after the last`,
    );
  });

  it('all invariants hold afterwards', async () => {
    // Waits for all deliveries before it reads what the receiver recorded.
    expect(await system.records.findInvariantViolations()).toEqual([]);
    recordWebhooks(observations, receiver);
    expect(await system.records.findInvariantViolations(observations)).toEqual([]);
  });

  const countRunningChunks = async (jobId: string) =>
    (
      await system.records.queryRows(
        `SELECT FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state = 'running'`,
        jobId,
      )
    ).length;

  /** A stream of a job that waits for its upload. Resolves when the first heartbeat has arrived. */
  const openIdleStream = async (jobId: string) => {
    const stream = client.stream(jobId);
    await stream.next();
    const readToEnd = async () => {
      for await (const event of stream) if (isTerminal(event)) return;
    };
    return { ended: readToEnd().catch(() => undefined) };
  };

  /** Sends half of a one-request transcription. `finish` sends the rest, and repeats the whole if that fails. */
  const beginUpload = (audio: Uint8Array) => {
    const half = audio.length / 2;
    const upload = openTranscribeRequest(client, '?output_type=txt');
    upload.write(audio.subarray(0, half));
    const response = waitForResponse(upload)
      .then(({ statusCode }) => statusCode)
      .catch(() => null);
    const finish = async (): Promise<'completed' | 'repeated'> => {
      upload.end(audio.subarray(half));
      const isCompleted = (await response) === 200;
      upload.destroy();
      if (isCompleted) return 'completed';
      const messages = await collectMessages(await transcribeStreamed(client, audio, '?output_type=txt'));
      expect(messages.at(-1)?.event).toBe('transcript');
      return 'repeated';
    };
    return { response, finish };
  };
});
