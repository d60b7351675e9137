import { beforeAll, describe, expect, it } from 'vitest';
import { dialogueWav, silentWav, synthesizeSpeech } from '../support/audio.js';
import { expectStatus } from '../support/client.js';
import { expectContiguous } from '../support/events.js';
import { type JobPage, listAllPages } from '../support/job-pages.js';
import { createMultipart, statusOf } from '../support/multipart.js';
import { expectInvalidFields, expectProblem } from '../support/problem.js';
import { readAllEvents, waitForEnd } from './ends.js';
import { UNKNOWN, type SpecContext } from './spec-context.js';

const JOBS = 12;

export function describeSection4Jobs(getContext: () => SpecContext): void {
  describe('§4.7 GET /jobs', () => {
    let ids: Set<string>;
    beforeAll(async () => {
      const { otherClient } = getContext();
      // Created concurrently, so that their timestamps tie.
      const createdJobs = await Promise.all(
        Array.from({ length: JOBS }, () => otherClient.create({ file_size: 1 })),
      );
      ids = new Set(createdJobs.map(({ job_id }) => job_id));
    });
    const list = async (query = '') =>
      expectStatus<JobPage>(200, await getContext().otherClient.send('GET', `/api/v1/jobs${query}`));

    it('lists the jobs of the caller newest first with their creation times', async () => {
      const { jobs, next_before } = await list();
      expect(new Set(jobs.map(({ job_id }) => job_id))).toEqual(ids);
      for (const job of jobs) expect(Object.keys(job).toSorted()).toEqual(['created_at', 'job_id']);
      const creationTimes = jobs.map(({ created_at }) => created_at);
      for (const createdAt of creationTimes)
        expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      expect(creationTimes).toEqual([...new Set(creationTimes)].toSorted().toReversed());
      expect(next_before).toBeNull();
      const { job_id } = await getContext().otherClient.create({ file_size: 1 });
      ids.add(job_id);
      expect((await list('?limit=1')).jobs[0]?.job_id).toBe(job_id);
    });

    it.each([1, 5, 100])(
      'returns each job once in pages of %i and no next_before on the last page',
      async (limit) => {
        const pages = await listAllPages(list, limit);
        const listedIds = pages.flatMap(({ jobs }) => jobs.map(({ job_id }) => job_id));
        expect(pages).toHaveLength(Math.ceil(ids.size / limit));
        expect(listedIds).toHaveLength(ids.size);
        expect(new Set(listedIds)).toEqual(ids);
      },
    );

    it.each(['limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'before=yesterday', 'before='])(
      'the invalid query %s answers 400',
      async (query) => {
        expectProblem(
          await getContext().otherClient.send('GET', `/api/v1/jobs?${query}`),
          400,
          'invalid_parameter',
        );
      },
    );
  });

  describe('§4.8 GET /jobs/{job_id}', () => {
    it('signs a new download URL on each retrieval', async () => {
      const { client } = getContext();
      const { job_id, download_url } = await client.submit(silentWav(1));
      await waitForEnd(client, job_id);
      const urls = [download_url];
      // URLs are signed to the second or to the millisecond: within two seconds the second URL differs.
      await expect
        .poll(
          async () => {
            urls.push((await client.job(job_id)).download_url ?? '');
            return new Set(urls).size;
          },
          { timeout: 5_000, interval: 400 },
        )
        .toBeGreaterThanOrEqual(3);
      for (const url of urls) expect((await client.download(url)).status).toBe(200);
    });
  });

  describe('§4.9 GET /jobs/{job_id}/stream', () => {
    it('resumes after Last-Event-ID without missing an event, and ends with the job', async () => {
      const { client } = getContext();
      const text = 'There are ninety tables between the office and the bridge. ';
      const { job_id } = await client.submit(await synthesizeSpeech(text.repeat(3)));
      const receivedEvents = [];
      for await (const event of client.stream(job_id, { lastEventId: '0' })) {
        if (event.name === '') continue;
        receivedEvents.push(event);
        break;
      }
      receivedEvents.push(...(await client.events(job_id, { lastEventId: receivedEvents[0]?.id ?? '' })));
      expectContiguous(receivedEvents);
      expect(receivedEvents.length).toBeGreaterThan(2);
      const replayed = await readAllEvents(client, job_id);
      expect(replayed.map(({ id, name }) => `${id} ${name}`)).toEqual(
        receivedEvents.map(({ id, name }) => `${id} ${name}`),
      );
    });
  });

  describe('§4.10 POST /jobs/cancel', () => {
    it('ends a pending upload of either kind once', async () => {
      const { client } = getContext();
      const pending = [
        await client.create({ file_size: 1 }),
        await createMultipart(client, { file_size: 1 }),
      ];
      for (const { job_id } of pending) {
        expect(statusOf(await client.post('/jobs/cancel', { job_id }))).toBe('cancelled');
        expect(await waitForEnd(client, job_id)).toMatchObject({
          name: 'failed',
          data: { step: 'cancelled' },
        });
        expect(await client.job(job_id)).toMatchObject({ status: 'failed', failed_stage: 'cancelled' });
        expect(statusOf(await client.post('/jobs/cancel', { job_id }))).toBe('failed');
      }
    });

    it('stops a job that was just queued', async () => {
      const { client } = getContext();
      const { job_id } = await client.submit(await dialogueWav());
      // The engine cannot have processed half a minute of speech yet: that takes much longer than this call.
      expect(statusOf(await client.post('/jobs/cancel', { job_id }))).toBe('cancelled');
      expect(await waitForEnd(client, job_id)).toMatchObject({ name: 'failed', data: { step: 'cancelled' } });
    });

    it('does not change a completed job', async () => {
      const { client, early } = getContext();
      const { job_id } = early.finished;
      await waitForEnd(client, job_id);
      expect(statusOf(await client.post('/jobs/cancel', { job_id }))).toBe('completed');
      expect((await client.job(job_id)).status).toBe('completed');
    });
  });

  describe('§4.11 POST /jobs/check-failed', () => {
    const checkFailed = (job_ids: unknown) => getContext().client.post('/jobs/check-failed', { job_ids });

    it('returns one boolean per id in the same order', async () => {
      const { client, early } = getContext();
      const { failing, fine } = early.jobsByReceiver;
      for (const { job_id } of [failing, fine]) await waitForEnd(client, job_id);
      const pending = await client.upload(silentWav(1));
      const requestedIds = [fine, failing, pending, failing, { job_id: UNKNOWN }].map(({ job_id }) => job_id);
      expect(expectStatus(200, await checkFailed(requestedIds))).toEqual({
        failed_jobs: [false, true, false, true, false],
      });
      expect(expectStatus(200, await checkFailed([]))).toEqual({ failed_jobs: [] });
    });

    it('accepts 1,000 ids and answers 422 to more or to a malformed list', async () => {
      const ids = Array.from({ length: 1_000 }, () => UNKNOWN);
      const { failed_jobs } = expectStatus<{ failed_jobs: boolean[] }>(200, await checkFailed(ids));
      expect(failed_jobs).toEqual(ids.map(() => false));
      expectInvalidFields(await checkFailed([...ids, UNKNOWN]), 'job_ids');
      for (const job_ids of [undefined, null, UNKNOWN, {}])
        expectInvalidFields(await checkFailed(job_ids), 'job_ids');
      expectInvalidFields(await checkFailed([UNKNOWN, 'x']), 'job_ids.1');
    });
  });
}
