import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { synthesizeSpeech } from '../e2e/support/audio.js';
import type { Client } from '../e2e/support/client.js';
import { expectContiguous, followThroughDisconnects } from '../e2e/support/events.js';
import { until } from '../e2e/support/until.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { DistributedSystem, type HostedProgram } from './support/hosts/distributed-system.js';
import { HostNetwork } from './support/hosts/host-network.js';
import { SteadyLoad } from './support/hosts/steady-load.js';
import { recordWebhooks } from './support/observe-jobs.js';
import { countEndedChunkMessages, SELECT_ALL_ROWS } from './support/worker-writes.js';

const TEXT = 'There are ninety tables between the office and the bridge. ';
const START_MS = 120_000;
const ENDED_MS = 60_000;
const TEST_MS = 240_000;
const FAULT_MS = 10_000;
/** Longer than a statement waits for its answer (35 s). */
const CUT_MS = 40_000;
const S3_DELAY_MS = 300;

const network = await HostNetwork.create();
const skipReason = typeof network === 'string' ? network : null;
if (skipReason !== null) console.log(`Skipped silent hosts: ${skipReason}.`);

describe.skipIf(skipReason !== null)('hosts that fall silent without a reset', { timeout: TEST_MS }, () => {
  let system: DistributedSystem;
  let client: Client;
  let receiver: WebhookReceiver;
  const observations = new ObservationRecorder();

  beforeAll(async () => {
    if (typeof network === 'string') return;
    const env = {
      CHUNK_CONCURRENCY: '1',
      CHUNK_SECONDS: '5',
      CHUNK_MAX_SECONDS: '10',
      SMALL_FILE_BYTES: '1024',
    };
    system = await DistributedSystem.start(network, { queue: 'redis', env });
    receiver = await WebhookReceiver.start(system.network.callerAddress);
    client = await system.openAccount();
  }, START_MS);
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
  });

  /** Runs a load during the fault and until all of its jobs have ended. */
  const runUnder = async (
    name: string,
    inject: () => Promise<void> | void,
    end: () => Promise<void> | void,
  ) => {
    const load = await SteadyLoad.start(name, client, receiver.reply('/hook', 200), observations);
    await inject();
    const before = load.created;
    await pause(FAULT_MS);
    const meanwhile = load.created - before;
    await end();
    const endedAt = performance.now();
    await load.waitForJobs(1);
    const report = await load.stop();
    await system.records.waitUntilAllEnded(ENDED_MS);
    const seconds = ((performance.now() - endedAt) / 1_000).toFixed(1);
    console.log(`${name}: ${report}, ${meanwhile} during the fault; all ended ${seconds} s after it`);
    return meanwhile;
  };

  it('a processor that is cut off from Postgres loses its chunk to the other one, and writes nothing late', async () => {
    const [cut, other] = system.processors;
    if (cut === undefined || other === undefined) throw new Error('there are not two processors');
    const { job_id } = await client.submit(await synthesizeSpeech(TEXT.repeat(6)));
    const endedBefore = await until('the processor is cut off while it runs a chunk', async () => {
      const running = await findRunningChunks(job_id);
      const ended = await countEndedChunkMessages(metricsUrl(cut));
      // Each processor runs one chunk at a time.
      if (running.length < system.processors.length) return false;
      await system.network.silence(cut.host, system.dependencies.hosts.postgres);
      if (isDeepStrictEqual(await findRunningChunks(job_id), running)) return { ended };
      await system.network.restore();
      return false;
    });
    const cutAt = performance.now();
    expectContiguous(await followThroughDisconnects(client, job_id));
    const seconds = ((performance.now() - cutAt) / 1_000).toFixed(1);
    console.log(`a processor cut off from Postgres: the job ended ${seconds} s later`);
    expect(await client.job(job_id)).toMatchObject({ status: 'completed' });
    await pause(CUT_MS - (performance.now() - cutAt));
    await until('the audio of every job is deleted', async () => (await countStoredAudio()) === 0);
    await until('the processor is not ready', async () => (await readReadiness(cut)) === 503);

    const before = await system.records.queryRows(SELECT_ALL_ROWS);
    await system.network.restore();
    const restoredAt = performance.now();
    await until('the processor is ready again', async () => (await readReadiness(cut)) === 200);
    const readySeconds = ((performance.now() - restoredAt) / 1_000).toFixed(1);
    await until(
      'the processor has ended its chunk',
      async () => (await countEndedChunkMessages(metricsUrl(cut))) > endedBefore.ended,
    );
    expect(await system.records.queryRows(SELECT_ALL_ROWS)).toEqual(before);

    await system.network.silence(other.host);
    const next = await client.submit(await synthesizeSpeech(TEXT));
    expect((await followThroughDisconnects(client, next.job_id)).at(-1)?.name).toBe('completed');
    await system.network.restore();
    console.log(`it was ready again ${readySeconds} s after the link was back`);
  });

  it.each(['in both directions', 'in one direction'])(
    'creates are accepted while Redis is silent %s, and all jobs complete afterwards',
    async (directions) => {
      const { redis } = system.dependencies.hosts;
      if (redis === undefined) throw new Error('there is no Redis');
      const meanwhile = await runUnder(
        `Redis silent ${directions}`,
        () => system.network[directions === 'in one direction' ? 'dropPackets' : 'silence'](redis),
        () => system.network.restore(),
      );
      expect(meanwhile).toBeGreaterThan(0);
    },
  );

  it('jobs are created and complete while S3 answers 300 ms late', async (context) => {
    const { s3 } = system.dependencies;
    context.skip(s3 === undefined, 'no S3 server is installed');
    const meanwhile = await runUnder(
      'S3 delayed',
      () => s3?.setDelay(S3_DELAY_MS),
      () => s3?.setDelay(0),
    );
    expect(meanwhile).toBeGreaterThan(0);
  });

  it('all jobs complete after S3 was silent', async (context) => {
    const { s3 } = system.dependencies.hosts;
    context.skip(s3 === undefined, 'no S3 server is installed');
    if (s3 === undefined) return;
    await runUnder(
      'S3 silent',
      () => system.network.silence(s3),
      () => system.network.restore(),
    );
    for (const jobId of observations.jobs)
      expect(await client.job(jobId)).toMatchObject({ status: 'completed' });
  });

  it('all invariants hold after the faults', async () => {
    expect(await system.records.findInvariantViolations()).toEqual([]);
    recordWebhooks(observations, receiver);
    expect(await system.records.findInvariantViolations(observations)).toEqual([]);
    const failed = await system.records.queryRows(`SELECT id, reason FROM job WHERE status <> 'completed'`);
    expect(failed).toEqual([]);
  });

  const metricsUrl = (program: HostedProgram) => `${system.monitoringUrl(program)}/metrics`;
  const readReadiness = async (program: HostedProgram) =>
    (await fetch(`${system.monitoringUrl(program)}/health/ready`)).status;
  const findRunningChunks = (jobId: string) =>
    system.records.queryRows<{ name: string; fence: number }>(
      `SELECT name, fence FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state = 'running' ORDER BY name`,
      jobId,
    );
  const countStoredAudio = async () =>
    (await system.records.queryRows('SELECT id FROM job WHERE audio_deleted_at IS NULL')).length;
});
