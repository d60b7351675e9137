import { beforeAll, describe, expect, it } from 'vitest';
import { ADDED_FIELDS } from './support/added-fields.js';
import { sampleRecording, silentWav } from './support/audio.js';
import { Client, expectStatus } from './support/client.js';
import { expectContiguous } from './support/events.js';
import { type JobPage, listAllPages } from './support/job-pages.js';
import { statusOf } from './support/multipart.js';
import { expectInvalidFields, expectProblem } from './support/problem.js';
import type { Service } from './support/service.js';

const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';

export function describeJobsRoutes(getService: () => Service): void {
  let service: Service;
  let client: Client;
  /** A client of another account, without a job. */
  let otherClient: Client;

  beforeAll(async () => {
    service = getService();
    client = await service.client();
    otherClient = await newCaller();
  });

  const newCaller = async () => service.client((await service.openAccount(1_000)).api_key);
  const cancel = (jobId: string, caller = client) => caller.post('/jobs/cancel', { job_id: jobId });
  const checkFailed = (job_ids: unknown, caller = client) => caller.post('/jobs/check-failed', { job_ids });

  describe('§4.7 GET /jobs', () => {
    let caller: Client;
    /** Newest first. */
    let ids: string[];
    beforeAll(async () => {
      caller = await newCaller();
      ids = [];
      for (let index = 0; index < 6; index += 1) ids.unshift((await caller.create({ file_size: 1 })).job_id);
    });
    const list = async (query: string) =>
      expectStatus<JobPage>(200, await caller.send('GET', `/api/v1/jobs${query}`));

    it('lists the jobs of the account newest first with microseconds', async () => {
      const { jobs, next_before } = await list('');
      expect(jobs.map(({ job_id }) => job_id)).toEqual(ids);
      for (const { created_at } of jobs)
        expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      expect(jobs.map(({ created_at }) => created_at)).toEqual(
        [...new Set(jobs.map(({ created_at }) => created_at))].toSorted().toReversed(),
      );
      expect(next_before).toBeNull();
    });

    it.each([1, 2, 3, 4, 6])(
      'returns each job once in pages of %i, and the last page has no next_before',
      async (limit) => {
        const pages = await listAllPages(list, limit, (cursor) => cursor);
        for (const { jobs, next_before } of pages.slice(0, -1))
          expect(next_before).toBe(jobs.at(-1)?.created_at);
        expect(pages.flatMap(({ jobs }) => jobs.map(({ job_id }) => job_id))).toEqual(ids);
        expect(pages).toHaveLength(Math.ceil(ids.length / limit));
      },
    );

    it('accepts the cursor in any ISO 8601 form', async () => {
      const cursor = (await list('?limit=3')).next_before ?? '';
      const micros = cursor.slice(20, 26);
      const shifted = new Date(Date.parse(cursor) + 3_600_000).toISOString().slice(0, 19);
      const spellings = [
        cursor,
        cursor.replace('Z', '+00:00'),
        cursor.replace('Z', ''),
        cursor.replace('.', ','),
        `${shifted}.${micros}+01:00`,
        `${cursor.replaceAll(/[-:]/g, '')}`,
      ];
      for (const spelling of spellings)
        expect(
          (await list(`?before=${encodeURIComponent(spelling)}`)).jobs.map(({ job_id }) => job_id),
        ).toEqual(ids.slice(3));
      // A shell sends the plus sign unencoded, where it means a space.
      expect((await list(`?before=${shifted}.${micros}+01:00`)).jobs).toHaveLength(3);
    });

    it.each(['0', '101', '-1', '1.5', 'x', '', '1e1', '%00', '9'.repeat(100)])(
      'limit %j answers 400 and names the parameter',
      async (limit) => {
        const response = await caller.send('GET', `/api/v1/jobs?limit=${limit}`);
        expect(expectProblem(response, 400, 'invalid_parameter').detail).toMatch(/^limit:/);
      },
    );

    it.each([
      '',
      'now',
      '0',
      '2026-02-30T00:00:00Z',
      '2026-11-20T25:00:00Z',
      '%00',
      UNKNOWN,
      '%27%20OR%201=1',
    ])('before %j answers 400 and names the parameter', async (before) => {
      const response = await caller.send('GET', `/api/v1/jobs?before=${before}`);
      expect(expectProblem(response, 400, 'invalid_parameter').detail).toMatch(/^before:/);
    });

    it('a duplicate or unknown parameter answers 400 and is named', async () => {
      expectProblem(await caller.send('GET', '/api/v1/jobs?limit=1&limit=2'), 400, 'invalid_parameter');
      const response = await caller.send('GET', '/api/v1/jobs?limit=1&offset=5&states=failed');
      const { errors } = expectProblem(response, 400, 'invalid_parameter');
      expect(errors?.map(({ field }) => field)).toEqual(['offset', 'states']);
      expect(errors?.[1]?.message).toContain('did you mean status?');
    });

    it('a cursor outside the time range of jobs is accepted', async () => {
      for (const before of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00%2B23:59'])
        expect(await list(`?before=${before}`)).toEqual({ jobs: [], next_before: null });
      expect((await list('?before=9999-12-31T23:59:59.999999-23:59')).jobs).toHaveLength(ids.length);
    });

    it('returns no job of another account, and 401 without a key', async () => {
      expect(expectStatus(200, await otherClient.send('GET', '/api/v1/jobs'))).toEqual({
        jobs: [],
        next_before: null,
      });
      const unauthenticated = new Client(service.baseUrl, null);
      expectProblem(await unauthenticated.send('GET', '/api/v1/jobs?limit=0'), 401);
    });
  });

  describe('§4.10 POST /jobs/cancel', () => {
    it('ends a pending upload, and a repeated cancel returns the status of the job', async () => {
      const { job_id } = await client.upload(silentWav(1));
      expect(statusOf(await cancel(job_id))).toBe('cancelled');
      expect(await client.job(job_id)).toEqual({
        job_id,
        status: 'failed',
        download_url: null,
        failed_stage: 'cancelled',
        reason: expect.stringMatching(/\w/),
        ...ADDED_FIELDS,
      });
      expect(statusOf(await cancel(job_id))).toBe('failed');
      expect(statusOf(await client.complete(job_id))).toBe('failed');
      expect(expectStatus(200, await client.progress(job_id))).toEqual({ status: 'failed' });
    });

    it('stops a running job, whose stream ends with the failed event', async () => {
      const { job_id, download_url } = await client.submit(await sampleRecording());
      let status = '';
      const names: string[] = [];
      for await (const { name, data } of client.stream(job_id)) {
        if (name === '') continue;
        names.push(name);
        if (name === 'progress' && status === '') status = statusOf(await cancel(job_id));
        if (name === 'failed') expect(data).toMatchObject({ step: 'cancelled', reason: expect.any(String) });
      }
      expect(status).toBe('cancelled');
      expect(names.at(-1)).toBe('failed');
      expectContiguous(await client.events(job_id));
      expect(await client.job(job_id)).toMatchObject({ status: 'failed', failed_stage: 'cancelled' });
      const { detail } = expectProblem(await client.download(download_url), 404, 'object_not_found');
      expect(detail).toBe('There will be no transcript: the job was cancelled.');
    });

    it('does not change a completed job', async () => {
      const { job_id } = await client.submit(silentWav(2));
      await client.events(job_id);
      expect(statusOf(await cancel(job_id))).toBe('completed');
      expect((await client.job(job_id)).download_url).toMatch(/^http/);
    });

    it('many concurrent cancels cancel the job once', async () => {
      const { job_id } = await client.create({ file_size: 1 });
      const statuses = (await Promise.all(Array.from({ length: 8 }, () => cancel(job_id)))).map(statusOf);
      expect(statuses.filter((status) => status === 'cancelled')).toHaveLength(1);
      expect(statuses.filter((status) => status === 'failed')).toHaveLength(7);
    });

    it('works without credits', async () => {
      const caller = await service.client((await service.openAccount(2)).api_key);
      const open = await caller.create({ file_size: 1 });
      const { job_id } = await caller.submit(silentWav(2));
      await caller.events(job_id);
      expectProblem(await caller.post('/upload', { file_size: 1 }), 402, 'insufficient_credits');
      expect(statusOf(await cancel(open.job_id, caller))).toBe('cancelled');
    });

    it('answers 404 for an unknown or foreign job and 422 for an id that is not a UUID', async () => {
      const { job_id } = await client.create({ file_size: 1 });
      for (const id of [job_id, UNKNOWN]) expectProblem(await cancel(id, otherClient), 404, 'job_not_found');
      expectInvalidFields(await cancel('x'), 'job_id');
      expectInvalidFields(await client.post('/jobs/cancel', { job_id: [job_id] }), 'job_id');
      expect((await client.job(job_id)).status).toBe('processing');
    });
  });

  describe('§4.11 POST /jobs/check-failed', () => {
    it('returns one boolean per id in order, false for unknown and foreign ids', async () => {
      const failed = (await client.create({ file_size: 1 })).job_id;
      const open = (await client.create({ file_size: 1 })).job_id;
      await cancel(failed);
      const requestedIds = [open, failed, UNKNOWN, failed.toUpperCase(), open];
      expect(expectStatus(200, await checkFailed(requestedIds))).toEqual({
        failed_jobs: [false, true, false, true, false],
      });
      expect(expectStatus(200, await checkFailed([failed], otherClient))).toEqual({ failed_jobs: [false] });
      expect(expectStatus(200, await checkFailed([]))).toEqual({ failed_jobs: [] });
    });

    it('accepts 1,000 ids and rejects more', async () => {
      const ids = Array.from({ length: 1_000 }, () => UNKNOWN);
      const { failed_jobs } = expectStatus<{ failed_jobs: boolean[] }>(200, await checkFailed(ids));
      expect(failed_jobs).toEqual(ids.map(() => false));
      expectInvalidFields(await checkFailed([...ids, UNKNOWN]), 'job_ids');
      expectInvalidFields(await checkFailed(Array.from({ length: 200_000 }, () => 0)), 'job_ids');
    });

    it('an invalid list answers 422 and names the list or the id', async () => {
      for (const job_ids of [undefined, null, UNKNOWN, {}, 5])
        expectInvalidFields(await checkFailed(job_ids), 'job_ids');
      expectInvalidFields(await checkFailed([UNKNOWN, UNKNOWN, UNKNOWN, 'x']), 'job_ids.3');
      expectInvalidFields(
        await checkFailed([null, UNKNOWN, 5, [UNKNOWN]]),
        'job_ids.0',
        'job_ids.2',
        'job_ids.3',
      );
    });
  });
}
