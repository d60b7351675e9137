import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { mountSmallDisk } from '../support/small-disk.js';
import { sendJson, FakeTranscriptionServer } from '../support/fake-transcription-server.js';
import { silentWav, synthesizeSpeech } from '../e2e/support/audio.js';
import { type Client, expectStatus } from '../e2e/support/client.js';
import { expectProblem } from '../e2e/support/problem.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { until } from '../e2e/support/until.js';
import { Telemetry } from './support/telemetry.js';
import { System } from './support/system.js';

const ENDED_MS = 60_000;
const STORE_MEBIBYTES = 64;
const REJECTED_REQUESTS = 25;
const WARN_LEVEL = 40;
/** `REDELIVER_SECONDS` of the system. */
const REDELIVER_SECONDS = 5;

const disk = await mountSmallDisk(STORE_MEBIBYTES);
const skipReason = typeof disk === 'string' ? disk : null;
if (skipReason !== null) console.log(`Skipped a store with a read-only disk: ${skipReason}.`);

const OUTAGE_ENDS = /works again|queue back after|counted again|^dependency available again/;

describe('faults in the log and in the metrics', () => {
  let engine: FakeTranscriptionServer;
  let receiver: WebhookReceiver;
  let system: System;
  let telemetry: Telemetry;
  let client: Client;
  /** Of the processors. */
  let ports: number[];

  beforeAll(async () => {
    [engine, receiver] = await Promise.all([FakeTranscriptionServer.start(), WebhookReceiver.start()]);
    const env = {
      ENGINE: 'openai',
      OPENAI_BASE_URL: engine.baseUrl,
      OPENAI_MODEL: 'tones',
      OPENAI_ATTEMPTS: '1',
      CHUNK_CONCURRENCY: '1',
      WEBHOOK_BACKOFF_SECONDS: '0,0,0',
    };
    const dataDirs = typeof disk === 'string' ? {} : { objects: disk.path };
    system = await System.start({ queue: 'postgres', apis: 1, processors: 0, env, dataDirs });
    ports = await Promise.all([findFreePort(), findFreePort()]);
    for (const port of ports) await system.addProcessor({ PROCESSOR_PORT: String(port) }).waitUntilReady();
    telemetry = new Telemetry(system, [...system.apiPorts, ...ports]);
    client = await system.client();
  });
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
    await engine?.stop();
    if (typeof disk !== 'string') await disk.remove();
  });

  const readRequestId = async (jobId: string) =>
    (await system.queryRows<{ request_id: string }>('SELECT request_id FROM job WHERE id = $1', jobId))[0]
      ?.request_id;

  it('a processor killed during a chunk is reported as an expired lease', async () => {
    engine.queueMisbehaviours(() => undefined);
    const { job_id } = await client.submit(await synthesizeSpeech('Good morning.'));
    await until('the chunk is at the engine', () => engine.openRequests.size > 0);
    // One of the two runs the stage; the other, or a replacement, detects the expired lease.
    for (const processor of system.processors) await processor.kill('SIGKILL');
    const lostLease = await telemetry.waitForLogLine({ level: WARN_LEVEL, job_id, stage: 'chunk:0' });
    expect(lostLease).toMatchObject({ attempt: 1, request_id: await readRequestId(job_id) });
    expect(String(lostLease['msg'])).toMatch(/^lease lost/);
    await telemetry.waitForMetricIncrease('zephyr_leases_lost_total', { stage: 'chunk' }, 0);
    await system.waitUntilAllEnded(ENDED_MS);
    expect(await telemetry.waitForLogLine({ msg: 'job ended', job_id })).toMatchObject({
      outcome: 'completed',
    });
    await Promise.all(system.processors.map((processor) => processor.waitUntilReady()));
  });

  it('an unavailable engine and the attempts at its chunk are counted, and the job is not charged for them', async () => {
    const kinds = { stage: 'chunk', kind: 'dependency' };
    const engineBefore = await telemetry.sumMetric('zephyr_engine_failures_total', { kind: 'unavailable' });
    const attemptsBefore = await telemetry.sumMetric('zephyr_stage_attempts_failed_total', kinds);
    engine.queueMisbehaviours((response) => sendJson(response, 503, { error: { message: 'loading' } }));
    const { job_id } = await client.submit(await synthesizeSpeech('Good morning.'));
    await telemetry.waitForMetricIncrease(
      'zephyr_engine_failures_total',
      { kind: 'unavailable' },
      engineBefore,
    );
    await telemetry.waitForMetricIncrease('zephyr_stage_attempts_failed_total', kinds, attemptsBefore);
    expect(await telemetry.waitForLogLine({ msg: 'stage attempt failed', job_id })).toMatchObject({
      level: WARN_LEVEL,
      kind: 'dependency',
      stage: 'chunk:0',
      request_id: await readRequestId(job_id),
      error: { cause: { type: 'EngineUnavailableError' } },
    });
    await system.waitUntilAllEnded(ENDED_MS);
    expect(await client.job(job_id)).toMatchObject({ status: 'completed' });
  });

  it('a webhook that fails permanently is counted and logged', async () => {
    const labels = { result: 'failed' };
    const before = await telemetry.sumMetric('zephyr_webhook_attempts_total', labels);
    const callback_url = receiver.reply('/broken?token=hunter2', 500);
    const { job_id } = await client.submit(silentWav(0.3), { callback_url });
    await telemetry.waitForMetricIncrease('zephyr_webhook_attempts_total', labels, before);
    expect(await telemetry.waitForLogLine({ msg: 'webhook failed for good', job_id })).toMatchObject({
      level: WARN_LEVEL,
      attempts: 4,
      status: 500,
      receiver: new URL(receiver.url).host,
      request_id: await readRequestId(job_id),
    });
    expect(await system.readLog()).not.toContain('hunter2');
    await until(
      'no webhook is pending',
      async () => (await telemetry.sumMetric('zephyr_webhooks_pending')) === 0,
    );
  });

  it.skipIf(skipReason !== null)('a store that cannot be written is counted, and logged once', async () => {
    if (typeof disk === 'string') return;
    const before = await telemetry.sumMetric('zephyr_store_errors_total');
    const created = await client.create({ file_size: 1_000_000 });
    disk.remount('ro');
    try {
      for (let at = 0; at < REJECTED_REQUESTS; at += 1)
        expectProblem(
          await client.put(created.upload_url, silentWav(0.3), created.content_type),
          503,
          'service_unavailable',
        );
      await telemetry.waitForMetricIncrease('zephyr_store_errors_total', {}, before, REJECTED_REQUESTS);
      await until('the store is reported down', async () => {
        const up = await telemetry.sumMetric('zephyr_dependency_up', {
          dependency: 'storage',
          program: 'api',
        });
        return up === 0;
      });
      const outages = await telemetry.findLogLines({ msg: 'dependency unavailable', dependency: 'storage' });
      expect(outages.length).toBeLessThan(REJECTED_REQUESTS / 2);
      expect(outages[0]).toMatchObject({ level: WARN_LEVEL, error: { cause: { code: 'EROFS' } } });
    } finally {
      disk.remount('rw');
    }
    await telemetry.waitForLogLine({ msg: 'dependency available again', dependency: 'storage' });
    expectStatus(200, await client.post('/jobs/cancel', { job_id: created.job_id }));
  });

  it('an outage of Postgres and its end are each logged once, however many requests are rejected', async () => {
    const { postgres } = system.dependencies.proxies;
    postgres.setFault('cut');
    try {
      for (let at = 0; at < REJECTED_REQUESTS; at += 1)
        expect((await client.send('GET', '/api/v1/jobs')).status).toBe(503);
      await until('the database is reported down', async () => {
        const up = await telemetry.sumMetric('zephyr_dependency_up', {
          dependency: 'database',
          program: 'api',
        });
        return up === 0;
      });
    } finally {
      postgres.setFault('open');
    }
    const recovery = await telemetry.waitForLogLine({
      msg: 'dependency available again',
      dependency: 'database',
    });
    const outages = await telemetry.findLogLines({ msg: 'dependency unavailable', dependency: 'database' });
    expect(outages.length).toBeLessThan(REJECTED_REQUESTS / 5);
    expect(outages[0]).toMatchObject({ level: WARN_LEVEL, error: { stack: expect.any(String) as string } });
    expect(recovery['refused']).toBeGreaterThan(0);
    await until('requests succeed', async () => (await client.send('GET', '/api/v1/jobs')).status === 200);
  });

  it('the age of a backlog is measured, and a backlog logs no warning', async () => {
    await system.waitUntilAllEnded(ENDED_MS);
    // More log lines of the previous outage may follow, such as the recovery of the queue.
    await until('every consumer of the queues works again', async () => {
      const readiness = ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok);
      return (await Promise.all(readiness)).every(Boolean);
    });
    const releases: (() => void)[] = [];
    for (const _ of system.processors)
      engine.queueMisbehaviours((response) => void releases.push(() => sendJson(response, 503, {})));
    const speech = await synthesizeSpeech('Good morning.');
    const jobs: string[] = [];
    for (let at = 0; at < 5; at += 1) jobs.push((await client.submit(speech)).job_id);
    await until('every slot is in use', () => releases.length === system.processors.length);
    const warnings = () => telemetry.findLogLines({ level: WARN_LEVEL });
    const before = (await warnings()).length;
    const age = await until('the age of the waiting stages is measured', async () => {
      const seconds = await telemetry.sumMetric('zephyr_oldest_waiting_stage_age_seconds', {
        stage: 'chunk',
      });
      return seconds > 2 * REDELIVER_SECONDS && seconds;
    });
    expect(age).toBeLessThan(ENDED_MS / 1_000);
    // No sweep adds messages for stages that only wait. Those of killed processors come back by themselves.
    expect(
      await telemetry.findLogLines({ msg: 'sweep sent lost messages again or ended expired jobs' }),
    ).toEqual([]);
    // A loop that retries seldom may log the end of the previous outage late.
    const isOutageEnd = ({ msg }: Record<string, unknown>) => OUTAGE_ENDS.test(String(msg));
    expect((await warnings()).slice(before).filter((line) => !isOutageEnd(line))).toEqual([]);
    for (const release of releases) release();
    await system.waitUntilAllEnded(ENDED_MS);
    for (const job_id of jobs) expectStatus(200, await client.send('GET', `/api/v1/jobs/${job_id}`));
  });
});
