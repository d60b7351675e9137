import { createHmac } from 'node:crypto';
import { appendFile, cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInvariantViolations } from '../support/invariants/find-invariant-violations.js';
import { inspectFileStore } from '../support/invariants/stored-objects.js';
import { dialogueWav, silentWav } from './support/audio.js';
import { expectStatus } from './support/client.js';
import { completeMultipart } from './support/multipart.js';
import { expectProblem } from './support/problem.js';
import { runProgram } from './support/program.js';
import { createSharedDatabase, EMPTY_TEMPLATE, type SharedDatabase } from './support/shared-postgres.js';
import { TranscriptionServer } from './support/transcription-server.js';
import { WebhookReceiver } from './support/webhook-receiver.js';
import { type RestoreReport, Service } from './support/service.js';
import { until } from './support/until.js';
import { type VariedJobs, createVariedJobs } from './support/varied-jobs.js';

const FAST_DETECTION_SETTINGS = {
  ...{ LEASE_SECONDS: '3', SWEEP_SECONDS: '1', REDELIVER_SECONDS: '5' },
  OUTBOUND_ALLOW: '127.0.0.1',
};
const ENDED_MS = 100_000;

let receiver: WebhookReceiver;
let engine: TranscriptionServer;
let database: SharedDatabase | undefined;
let folder: string;
let backup: string;
let source: Service;
let jobs: VariedJobs;
/** Processing when the backup was made. */
let openJobs: string[];
/** Transcripts of the source by job, at the time of the backup. */
const transcripts = new Map<string, string>();
let report: { missing_objects: number; objects: number };
let restored: { service: Service; report: RestoreReport };

beforeAll(async () => {
  [receiver, engine, database, folder] = await Promise.all([
    WebhookReceiver.start(),
    TranscriptionServer.start(),
    createSharedDatabase(EMPTY_TEMPLATE),
    mkdtemp(join(tmpdir(), 'zephyr-backup-')),
  ]);
  source = await Service.start({
    ...FAST_DETECTION_SETTINGS,
    ENGINE: 'openai',
    OPENAI_BASE_URL: engine.baseUrl,
    ENCRYPTION_KEYS: 'a key for the signing secrets of this service',
  });
  jobs = await createVariedJobs(source, receiver);
  for (const id of [...jobs.completed, jobs.withSpeakerNames])
    transcripts.set(id, (await download(jobs, id)).text);
  const audio = await dialogueWav();
  const releaseEngine = engine.hold();
  const submitted = await Promise.all(
    Array.from({ length: 2 }, () => jobs.client.submit(audio, { callback_url: `${receiver.url}/open` })),
  );
  openJobs = submitted.map(({ job_id }) => job_id);
  backup = join(folder, 'backup');
  const newSubmissions = Promise.all(Array.from({ length: 3 }, () => jobs.client.submit(silentWav(2))));
  report = await source.adminJson('backup', backup, '--json');
  releaseEngine();
  await newSubmissions;
  restored = await Service.startRestored(backup, { ...source.settings, ...target() });
}, 300_000);
afterAll(async () => {
  await restored?.service.stop();
  await source?.stop();
  await database?.drop();
  await engine?.stop();
  await receiver?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Dependencies of the target, without those of the source. */
function target() {
  return { DATABASE_URL: database?.url ?? '', DATA_DIR: '', PORT: '' };
}

async function download({ client }: VariedJobs, id: string) {
  return client.send('GET', `/api/v1/jobs/${id}/transcript`);
}

const createClientOfRestored = async () => restored.service.client(jobs.account.api_key);

describe('a backup made while jobs run', () => {
  it('is readable by its owner only and lists its contents', async () => {
    expect(report).toMatchObject({ missing_objects: 0, secrets: true });
    const modes = await Promise.all(
      ['.', 'secrets.json'].map(async (name) => (await stat(join(backup, name))).mode & 0o777),
    );
    expect(modes).toEqual([0o700, 0o600]);
    expect(await source.adminJson('backup', backup, '--verify', '--json')).toMatchObject({ damaged: [] });
  });

  it('is never overwritten', async () => {
    const { code, stderr } = await source.admin('backup', backup);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/ contains a backup\./),
    });
  });
});

describe('a service restored to another database and object store', () => {
  it('has the same transcripts byte for byte, the same speaker names and the same job outcomes', async () => {
    const client = await createClientOfRestored();
    for (const [id, text] of transcripts)
      expect((await client.send('GET', `/api/v1/jobs/${id}/transcript`)).text).toBe(text);
    expect(await client.job(jobs.failed)).toMatchObject({ status: 'failed', failed_stage: 'preprocess' });
    expect(await client.job(jobs.cancelled)).toMatchObject({ failed_stage: 'cancelled' });
    const { download_url } = await client.job(jobs.completed[1] ?? '');
    expect((await client.download(download_url ?? '')).status).toBe(200);
  });

  it('replays an idempotent request and accepts bytes that were uploaded before the backup', async () => {
    const client = await createClientOfRestored();
    const repeatedResponse = await client.send('POST', '/api/v1/upload', {
      body: JSON.stringify({ file_size: 7 }),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'a request that may be repeated' },
    });
    expect(expectStatus(200, repeatedResponse)).toEqual(jobs.repeatedResponse);
    expect(expectStatus(200, await client.complete(jobs.uploaded.job_id))).toEqual({ status: 'queued' });
  });

  it('answers 400 to the completion of a multipart upload that was in progress', async () => {
    expect(restored.report.open_multipart_uploads).toBe(1);
    const response = await completeMultipart(await createClientOfRestored(), jobs.multipart.job_id, [
      jobs.part,
    ]);
    expectProblem(response, 400);
    await (await createClientOfRestored()).post('/upload/multipart/abort', { job_id: jobs.multipart.job_id });
  });

  it('finishes the open jobs, sends no webhook before the operator releases them, and keeps all invariants', async () => {
    expect(restored.report.stages_due).toBeGreaterThan(0);
    const client = await createClientOfRestored();
    for (const id of openJobs) expect((await client.events(id)).at(-1)?.name).toBe('completed');
    await client.post('/jobs/cancel', { job_id: jobs.repeatedResponse.job_id });
    const pool = new pg.Pool({ connectionString: database?.url, max: 2 });
    try {
      await until(
        'every job has ended',
        async () => (await pool.query(`SELECT id FROM job WHERE status = 'processing'`)).rows.length === 0,
        ENDED_MS,
      );
      const deliveries = async () =>
        (
          await pool.query<{ state: string; attempts: number }>(
            'SELECT state, attempts FROM webhook_delivery WHERE job_id = ANY($1)',
            [openJobs],
          )
        ).rows;
      expect(await deliveries()).toEqual(openJobs.map(() => ({ state: 'pending', attempts: 0 })));
      expect(await restored.service.adminJson('webhooks', 'release', '--json')).toEqual({
        released: true,
        pending: openJobs.length,
      });
      await until('all are sent', async () =>
        (await deliveries()).every(({ state }) => state === 'delivered'),
      );
      const stored = inspectFileStore(join(restored.service.dataDir, 'objects'));
      const findViolations = () => findInvariantViolations({ database: pool, stored });
      await until('every invariant holds', async () => (await findViolations()).length === 0, 60_000).catch(
        () => [],
      );
      expect(await findViolations()).toEqual([]);
    } finally {
      await pool.end();
    }
    const webhooks = receiver.requestsTo('/open');
    expect(
      new Set(webhooks.map(({ body }) => (JSON.parse(String(body)) as { job_id: string }).job_id)),
    ).toEqual(new Set(openJobs));
    for (const { body, headers } of webhooks)
      expect(headers['x-svc-signature']).toBe(
        `sha256=${createHmac('sha256', jobs.signingSecret).update(body).digest('hex')}`,
      );
  });

  it('leaves the transcripts of the source, which finishes the same jobs', async () => {
    for (const [id, text] of transcripts) expect((await download(jobs, id)).text).toBe(text);
    for (const id of openJobs) expect((await jobs.client.events(id)).at(-1)?.name).toBe('completed');
  });
});

describe('restore', () => {
  const restore = (dir: string, env = {}) =>
    runProgram('admin', ['restore', dir], {
      ...source.settings,
      ...target(),
      DATA_DIR: restored.service.dataDir,
      ...env,
    });

  it('rejects a database or object store that is not empty', async () => {
    const { code, stderr } = await restore(backup);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/ is not empty: /) });
  });

  it('rejects another service secret than that of the backup before it changes anything', async () => {
    const { code, stderr } = await restore(backup, {
      SERVICE_SECRET: 'another secret of thirty-two letters',
    });
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^SERVICE_SECRET is not that of the backup.*secrets\.json/),
    });
  });

  it('rejects an incomplete and a damaged backup', async () => {
    const copy = join(folder, 'copy');
    await cp(backup, copy, { recursive: true });
    const table = join(copy, 'database', 'account.copy');
    await appendFile(table, 'x');
    expect(await restore(copy)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/damaged: database\/account\.copy/),
    });
    expect((await source.admin('backup', copy, '--verify')).code).toBe(1);
    await rm(join(copy, 'manifest.json'));
    expect(await restore(copy)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no finished backup/),
    });
  });
});
