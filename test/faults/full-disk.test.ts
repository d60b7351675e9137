import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js';
import { silentWav } from '../e2e/support/audio.js';
import { type ApiResponse, type Client, expectStatus } from '../e2e/support/client.js';
import { expectProblem } from '../e2e/support/problem.js';
import { until } from '../e2e/support/until.js';
import { submitJobRequest } from '../e2e/support/job-requests.js';
import { System, type SystemOptions } from './support/system.js';

const RECOVERY_MS = 30_000;
const TEST_MS = 180_000;

type DiskUse = 'postgres' | 'redis' | 'objects' | 'work';

/** The minimum that each program needs, with a little free space. */
const MEBIBYTES: Record<DiskUse, number> = { postgres: 160, redis: 8, objects: 8, work: 8 };

const disks = new Map<DiskUse, SmallDisk>();
let skipReason: string | null = null;
for (const [use, size] of Object.entries(MEBIBYTES) as [DiskUse, number][]) {
  const disk = await mountSmallDisk(size);
  if (typeof disk === 'string') skipReason = disk;
  else disks.set(use, disk);
}
if (skipReason !== null) console.log(`Skipped full disks: ${skipReason}.`);

describe.skipIf(skipReason !== null)('a full disk', () => {
  let system: System;
  let client: Client;
  const observations = new ObservationRecorder();
  const disk = (use: DiskUse): SmallDisk => {
    const found = disks.get(use);
    if (!found) throw new Error(`no disk for ${use}`);
    return found;
  };

  beforeAll(async () => {
    const dataDirs = Object.fromEntries([...disks].map(([use, { path }]) => [use, path]));
    const env = { WORK_DIR: disk('work').path };
    const request: SystemOptions = { queue: 'redis', apis: 1, processors: 1, dataDirs, env };
    system = await System.start(request);
    client = await system.client();
  });
  afterEach(async () => {
    for (const smallDisk of disks.values()) await smallDisk.freeSpace();
  });
  afterAll(async () => {
    await system?.stop();
    for (const smallDisk of disks.values()) await smallDisk.remove();
  });

  const submitJob = (name: string) =>
    submitJobRequest(client, { name, bytes: silentWav(0.5), options: {} }, observations);

  /** Frees the disk and expects that pending requests and a new job succeed. */
  const expectRecovery = async (use: DiskUse, pendingJobs: Promise<unknown>[]) => {
    const startedAt = performance.now();
    await disk(use).freeSpace();
    const next = submitJob(`${use} after`);
    await Promise.all([...pendingJobs, next]);
    await system.waitUntilAllEnded(RECOVERY_MS);
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(`disk of ${use}: all done ${seconds.toFixed(1)} s after space was freed`);
    expect(seconds).toBeLessThan(RECOVERY_MS / 1_000);
    for (const jobId of observations.jobs) observations.recordStatus(jobId, (await client.job(jobId)).status);
  };

  it(
    'uploads get 503 while the disk of the store is full, creates continue, and all jobs complete afterwards',
    async () => {
      const before = await submitJob('objects before');
      await disk('objects').fill();
      const created = await client.create({ file_size: silentWav(20).length });
      const put = () => client.put(created.upload_url, silentWav(20), created.content_type);
      expectProblem(await put(), 503, 'service_unavailable');
      expect((await client.complete(created.job_id)).status).toBe(400);
      await expectRecovery('objects', [completeUpload(created.job_id, put)]);
      expect(await client.job(before.job_id)).toMatchObject({ status: 'completed' });
    },
    TEST_MS,
  );

  it(
    'jobs wait while the disk of the work folder is full, whatever their attempts, and complete afterwards',
    async () => {
      await disk('work').fill();
      const pendingJobs = submitJob('work meanwhile');
      const retriedStages = `SELECT attempts FROM job_stage WHERE last_error ~ 'This machine has no room.*ENOSPC'`;
      await until('the stage was released', async () => (await system.queryRows(retriedStages)).length > 0);
      expect(await system.queryRows(retriedStages)).toEqual([{ attempts: 0 }]);
      await expectRecovery('work', [pendingJobs]);
    },
    TEST_MS,
  );

  it(
    'jobs are accepted while the disk of the queue is full, and complete afterwards',
    async () => {
      await disk('redis').fill();
      await submitJob('redis meanwhile');
      await until('the queue has rejected the message', async () =>
        (await system.readLog()).includes('MISCONF'),
      );
      expect((await client.send('GET', '/api/v1/jobs')).status).toBe(200);
      await expectRecovery('redis', []);
    },
    TEST_MS,
  );

  it(
    'requests get 503 while the disk of Postgres is full, and no acknowledged job is lost',
    async () => {
      await submitJob('postgres before');
      await disk('postgres').fill();
      const created: string[] = [];
      const rejected = await until('a create is rejected', async () => {
        const response = await client.post('/upload', { file_size: 1 });
        if (response.status !== 200) return response;
        created.push(expectStatus<{ job_id: string }>(200, response).job_id);
        return false;
      });
      expectProblem(rejected, 503, 'service_unavailable');
      const pendingJobs = submitJob('postgres meanwhile');
      for (const jobId of created) observations.recordCreated(`full disk ${jobId}`, jobId);
      await expectRecovery('postgres', [pendingJobs, ...created.map(cancelJob)]);
    },
    TEST_MS,
  );

  it('all invariants hold after the faults', async () => {
    expect(await system.findInvariantViolations(observations)).toEqual([]);
  });

  const cancelJob = (jobId: string) =>
    until(
      `${jobId} is cancelled`,
      async () => (await client.post('/jobs/cancel', { job_id: jobId })).status === 200,
    );

  const completeUpload = async (jobId: string, put: () => Promise<ApiResponse>) => {
    await until('the audio is uploaded', async () => (await put()).status === 200);
    expectStatus(200, await client.complete(jobId));
  };
});
