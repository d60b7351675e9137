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
const REFUSALS = 25;
const WARN = 40;
/** `REDELIVER_SECONDS` of the system. */
const REDELIVER_SECONDS = 5;

const disk = await mountSmallDisk(STORE_MEBIBYTES);
const noDisk = typeof disk === 'string' ? disk : null;
if (noDisk !== null) console.log(`A store whose disk takes no writes is not tried: ${noDisk}.`);

const OUTAGE_ENDS = /works again|queue back after|counted again|^dependency back/;

describe('what is broken is found in the log and in the metrics:', () => {
  let engine: FakeTranscriptionServer;
  let receiver: WebhookReceiver;
  let system: System;
  let seen: Telemetry;
  let client: Client;

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
    const places = typeof disk === 'string' ? {} : { objects: disk.path };
    system = await System.start({ queue: 'postgres', apis: 1, processors: 0, env, dataDirs: places });
    const ports = await Promise.all([findFreePort(), findFreePort()]);
    for (const port of ports) await system.addProcessor({ PROCESSOR_PORT: String(port) }).untilReady();
    seen = new Telemetry(system, [...system.apiPorts, ...ports]);
    client = await system.client();
  });
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
    await engine?.stop();
    if (typeof disk !== 'string') await disk.remove();
  });

  const requestOf = async (jobId: string) =>
    (await system.rows<{ request_id: string }>('SELECT request_id FROM job WHERE id = $1', jobId))[0]
      ?.request_id;

  it('a processor that is killed at a chunk has lost a lease', async () => {
    engine.next(() => undefined);
    const { job_id } = await client.submit(await synthesizeSpeech('Good morning.'));
    await until('the chunk is at the engine', () => engine.open.size > 0);
    // Whichever of the two has it: the other, or what is started in its place, finds it.
    for (const processor of system.processors) await processor.kill('SIGKILL');
    const lost = await seen.waitForLogLine({ level: WARN, job_id, stage: 'chunk:0' });
    expect(lost).toMatchObject({ attempt: 1, request_id: await requestOf(job_id) });
    expect(String(lost['msg'])).toMatch(/^lease lost/);
    await seen.waitForMetricIncrease('zephyr_leases_lost_total', { stage: 'chunk' }, 0);
    await system.untilAllEnded(ENDED_MS);
    expect(await seen.waitForLogLine({ msg: 'job ended', job_id })).toMatchObject({ outcome: 'completed' });
    await Promise.all(system.processors.map((processor) => processor.untilReady()));
  });

  it('an engine that is away is counted, and the attempts at its chunk, which cost the job nothing', async () => {
    const kinds = { stage: 'chunk', kind: 'dependency' };
    const engineBefore = await seen.sumMetric('zephyr_engine_failures_total', { kind: 'unavailable' });
    const attemptsBefore = await seen.sumMetric('zephyr_stage_attempts_failed_total', kinds);
    engine.next((response) => sendJson(response, 503, { error: { message: 'loading' } }));
    const { job_id } = await client.submit(await synthesizeSpeech('Good morning.'));
    await seen.waitForMetricIncrease('zephyr_engine_failures_total', { kind: 'unavailable' }, engineBefore);
    await seen.waitForMetricIncrease('zephyr_stage_attempts_failed_total', kinds, attemptsBefore);
    expect(await seen.waitForLogLine({ msg: 'stage attempt failed', job_id })).toMatchObject({
      level: WARN,
      kind: 'dependency',
      stage: 'chunk:0',
      request_id: await requestOf(job_id),
      error: { cause: { type: 'EngineUnavailableError' } },
    });
    await system.untilAllEnded(ENDED_MS);
    expect(await client.job(job_id)).toMatchObject({ status: 'completed' });
  });

  it('a webhook that fails for good is counted and logged', async () => {
    const labels = { result: 'failed' };
    const before = await seen.sumMetric('zephyr_webhook_attempts_total', labels);
    const callback_url = receiver.reply('/broken?token=hunter2', 500);
    const { job_id } = await client.submit(silentWav(0.3), { callback_url });
    await seen.waitForMetricIncrease('zephyr_webhook_attempts_total', labels, before);
    expect(await seen.waitForLogLine({ msg: 'webhook failed for good', job_id })).toMatchObject({
      level: WARN,
      attempts: 4,
      status: 500,
      receiver: new URL(receiver.url).host,
      request_id: await requestOf(job_id),
    });
    expect(await system.log()).not.toContain('hunter2');
    await until('no webhook is pending', async () => (await seen.sumMetric('zephyr_webhooks_pending')) === 0);
  });

  it.skipIf(noDisk !== null)('a store whose disk takes no writes is counted, and logged once', async () => {
    if (typeof disk === 'string') return;
    const before = await seen.sumMetric('zephyr_store_errors_total');
    const created = await client.create({ file_size: 1_000_000 });
    disk.remount('ro');
    try {
      for (let at = 0; at < REFUSALS; at += 1)
        expectProblem(
          await client.put(created.upload_url, silentWav(0.3), created.content_type),
          503,
          'service_unavailable',
        );
      await seen.waitForMetricIncrease('zephyr_store_errors_total', {}, before, REFUSALS);
      await until('the store is said to be down', async () => {
        const up = await seen.sumMetric('zephyr_dependency_up', { dependency: 'storage', program: 'api' });
        return up === 0;
      });
      const away = await seen.findLogLines({ msg: 'dependency away', dependency: 'storage' });
      expect(away.length).toBeLessThan(REFUSALS / 2);
      expect(away[0]).toMatchObject({ level: WARN, error: { cause: { code: 'EROFS' } } });
    } finally {
      disk.remount('rw');
    }
    await seen.waitForLogLine({ msg: 'dependency back', dependency: 'storage' });
    expectStatus(200, await client.post('/jobs/cancel', { job_id: created.job_id }));
  });

  it('Postgres that is away is explained once, however many requests are refused, and so is its return', async () => {
    const { postgres } = system.dependencies.proxies;
    postgres.setFault('cut');
    try {
      for (let at = 0; at < REFUSALS; at += 1)
        expect((await client.send('GET', '/api/v1/jobs')).status).toBe(503);
      await until('it is said to be down', async () => {
        const up = await seen.sumMetric('zephyr_dependency_up', { dependency: 'database', program: 'api' });
        return up === 0;
      });
    } finally {
      postgres.setFault('open');
    }
    const back = await seen.waitForLogLine({ msg: 'dependency back', dependency: 'database' });
    const away = await seen.findLogLines({ msg: 'dependency away', dependency: 'database' });
    expect(away.length).toBeLessThan(REFUSALS / 5);
    expect(away[0]).toMatchObject({ level: WARN, error: { stack: expect.any(String) as string } });
    expect(back['refused']).toBeGreaterThan(0);
    await until(
      'requests are answered',
      async () => (await client.send('GET', '/api/v1/jobs')).status === 200,
    );
  });

  it('a backlog is no fault: how long it waits is measured, nothing is warned of', async () => {
    await system.untilAllEnded(ENDED_MS);
    // Of the time before there may be more to come, such as that the queue was found again.
    await Promise.all(system.programs.map((program) => program.untilReady()));
    await until(
      'requests are answered',
      async () => (await client.send('GET', '/api/v1/jobs')).status === 200,
    );
    const releases: (() => void)[] = [];
    for (const _ of system.processors)
      engine.next((response) => void releases.push(() => sendJson(response, 503, {})));
    const word = await synthesizeSpeech('Good morning.');
    const jobs: string[] = [];
    for (let at = 0; at < 5; at += 1) jobs.push((await client.submit(word)).job_id);
    await until('every place is taken', () => releases.length === system.processors.length);
    const warnings = () => seen.findLogLines({ level: WARN });
    const before = (await warnings()).length;
    const redelivered = `SELECT FROM job_stage WHERE state = 'pending' AND queue = 'chunk'
      AND due_at > waiting_since + make_interval(secs => $1)`;
    await until('what waits was delivered again', async () => {
      return (await system.rows(redelivered, REDELIVER_SECONDS)).length > 0;
    });
    const age = await until('the age of what waits is measured', async () => {
      const seconds = await seen.sumMetric('zephyr_oldest_waiting_stage_age_seconds', { stage: 'chunk' });
      return seconds > REDELIVER_SECONDS && seconds;
    });
    expect(age).toBeLessThan(ENDED_MS / 1_000);
    // The end of the outage before may be logged late, by a loop that retries seldom.
    const ofOutage = ({ msg }: Record<string, unknown>) => OUTAGE_ENDS.test(String(msg));
    expect((await warnings()).slice(before).filter((line) => !ofOutage(line))).toEqual([]);
    for (const release of releases) release();
    await system.untilAllEnded(ENDED_MS);
    for (const job_id of jobs) expectStatus(200, await client.send('GET', `/api/v1/jobs/${job_id}`));
  });
});
