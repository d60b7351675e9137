import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js';
import { silentWav } from '../e2e/support/audio.js';
import { type ApiResponse, type Client, expectStatus } from '../e2e/support/client.js';
import { expectProblem } from '../e2e/support/problem.js';
import { until } from '../e2e/support/until.js';
import { submitJobRequest } from '../e2e/support/job-requests.js';
import { System, type SystemOptions } from './support/system.js';

const HEALED_MS = 30_000;
const TEST_MS = 180_000;

type Place = 'postgres' | 'redis' | 'objects' | 'work';

/** Room for what each needs to start with, and for a moment's work. */
const MEBIBYTES: Record<Place, number> = { postgres: 160, redis: 8, objects: 8, work: 8 };

const disks = new Map<Place, SmallDisk>();
let obstacle: string | null = null;
for (const [place, size] of Object.entries(MEBIBYTES) as [Place, number][]) {
  const disk = await mountSmallDisk(size);
  if (typeof disk === 'string') obstacle = disk;
  else disks.set(place, disk);
}
if (obstacle !== null) console.log(`Full disks are not tried: ${obstacle}.`);

describe.skipIf(obstacle !== null)('a disk that is full', () => {
  let system: System;
  let client: Client;
  const observations = new ObservationRecorder();
  const disk = (place: Place): SmallDisk => {
    const found = disks.get(place);
    if (!found) throw new Error(`no disk for ${place}`);
    return found;
  };

  beforeAll(async () => {
    const places = Object.fromEntries([...disks].map(([place, { path }]) => [place, path]));
    const env = { WORK_DIR: disk('work').path };
    const request: SystemOptions = { queue: 'redis', apis: 1, processors: 1, dataDirs: places, env };
    system = await System.start(request);
    client = await system.client();
  });
  afterEach(async () => {
    for (const each of disks.values()) await each.freeSpace();
  });
  afterAll(async () => {
    await system?.stop();
    for (const each of disks.values()) await each.remove();
  });

  const order = (name: string) =>
    submitJobRequest(client, { name, bytes: silentWav(0.5), options: {} }, observations);

  /** Everything goes on by itself once there is room: what was begun before is done, and so is a new job. */
  const expectHealed = async (place: Place, begun: Promise<unknown>[]) => {
    const began = performance.now();
    await disk(place).freeSpace();
    const next = order(`${place} after`);
    await Promise.all([...begun, next]);
    await system.untilAllEnded(HEALED_MS);
    const seconds = (performance.now() - began) / 1_000;
    console.log(`disk of ${place}: all done ${seconds.toFixed(1)} s after there was room`);
    expect(seconds).toBeLessThan(HEALED_MS / 1_000);
    for (const jobId of observations.jobs) observations.recordStatus(jobId, (await client.job(jobId)).status);
  };

  it(
    'under the store: an upload is answered 503, creates go on, and everything heals',
    async () => {
      const before = await order('objects before');
      await disk('objects').fill();
      const created = await client.create({ file_size: silentWav(20).length });
      const put = () => client.put(created.upload_url, silentWav(20), created.content_type);
      expectProblem(await put(), 503, 'service_unavailable');
      expect((await client.complete(created.job_id)).status).toBe(400);
      await expectHealed('objects', [untilCompleted(created.job_id, put)]);
      expect(await client.job(before.job_id)).toMatchObject({ status: 'completed' });
    },
    TEST_MS,
  );

  it(
    'under the work: jobs wait, however often they are begun, and are done when there is room',
    async () => {
      await disk('work').fill();
      const begun = order('work meanwhile');
      const noRoom = `SELECT attempts FROM job_stage WHERE last_error ~ 'This machine has no room.*ENOSPC'`;
      await until('it was given back', async () => (await system.rows(noRoom)).length > 0);
      expect(await system.rows(noRoom)).toEqual([{ attempts: 0 }]);
      await expectHealed('work', [begun]);
    },
    TEST_MS,
  );

  it(
    'under the queue: jobs are taken as ever, and done when there is room',
    async () => {
      await disk('redis').fill();
      await order('redis meanwhile');
      await until('the queue has refused it', async () => (await system.log()).includes('MISCONF'));
      expect((await client.send('GET', '/api/v1/jobs')).status).toBe(200);
      await expectHealed('redis', []);
    },
    TEST_MS,
  );

  it(
    'under Postgres: 503, nothing that was answered is lost, and everything heals',
    async () => {
      await order('postgres before');
      await disk('postgres').fill();
      const created: string[] = [];
      const refused = await until('a create is refused', async () => {
        const answer = await client.post('/upload', { file_size: 1 });
        if (answer.status !== 200) return answer;
        created.push(expectStatus<{ job_id: string }>(200, answer).job_id);
        return false;
      });
      expectProblem(refused, 503, 'service_unavailable');
      const begun = order('postgres meanwhile');
      for (const jobId of created) observations.recordCreated(`full disk ${jobId}`, jobId);
      await expectHealed('postgres', [begun, ...created.map(cancelled)]);
    },
    TEST_MS,
  );

  it('and every promise was kept meanwhile', async () => {
    expect(await system.findInvariantViolations(observations)).toEqual([]);
  });

  const cancelled = (jobId: string) =>
    until(
      `${jobId} is cancelled`,
      async () => (await client.post('/jobs/cancel', { job_id: jobId })).status === 200,
    );

  const untilCompleted = async (jobId: string, put: () => Promise<ApiResponse>) => {
    await until('it is uploaded', async () => (await put()).status === 200);
    expectStatus(200, await client.complete(jobId));
  };
});
