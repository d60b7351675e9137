import { describe, expect, it } from 'vitest';
import { findFreePort } from '../../support/child-process.js';
import { silentWav } from '../support/audio.js';
import { Client, expectStatus } from '../support/client.js';
import { completeMultipart, createMultipart, statusOf } from '../support/multipart.js';
import { expectProblem } from '../support/problem.js';
import { Program } from '../support/program.js';
import { waitForEnd } from './ends.js';
import { sendHeadersOnly, ROUTES } from './routes.js';
import type { SpecContext } from './spec-context.js';

export function describeSection7(getContext: () => SpecContext): void {
  describe('§7 errors', () => {
    it('insufficient credits answer 402 on the three creating routes while reads and cancellations work', async () => {
      const { clientWithOneCredit, account } = getContext();
      const open = await clientWithOneCredit.create({ file_size: 1 });
      const job = await clientWithOneCredit.submit(silentWav(1));
      expect((await waitForEnd(clientWithOneCredit, job.job_id)).name).toBe('completed');
      const before = await clientWithOneCredit.send('GET', '/api/v1/jobs');
      for (const response of [
        await clientWithOneCredit.post('/upload', { file_size: 1 }),
        await clientWithOneCredit.post('/upload', { audio_url: `${getContext().receiver.url}/speech.wav` }),
        await clientWithOneCredit.post('/upload/multipart/create', { file_size: 1 }),
        await sendHeadersOnly(clientWithOneCredit, 1_000),
      ])
        expectProblem(response, 402, 'insufficient_credits');
      expect(account.api_key).not.toBe(clientWithOneCredit.apiKey);
      const after = await clientWithOneCredit.send('GET', '/api/v1/jobs');
      expect([after.status, after.text]).toEqual([200, before.text]);
      expect((await clientWithOneCredit.job(job.job_id)).status).toBe('completed');
      expect(
        expectStatus(200, await clientWithOneCredit.post('/jobs/check-failed', { job_ids: [open.job_id] })),
      ).toEqual({
        failed_jobs: [false],
      });
      expect(statusOf(await clientWithOneCredit.post('/jobs/cancel', { job_id: open.job_id }))).toBe(
        'cancelled',
      );
    });

    it('a valid request that cannot be acted on answers 400', async () => {
      const { client } = getContext();
      const single = await client.create({ file_size: 1 });
      const multipart = await createMultipart(client, { file_size: 1 });
      const parts = [{ part_number: 1, etag: '"x"' }];
      for (const response of [
        await client.complete(single.job_id),
        await completeMultipart(client, multipart.job_id, parts),
        await client.send('GET', '/api/v1/jobs?limit=1000'),
      ])
        expectProblem(response, 400);
    });

    it('a 422 names every invalid field', async () => {
      const { client } = getContext();
      const response = await client.post('/upload', { file_size: 'x', model: 1, nltk: 'no' });
      const { errors } = expectProblem(response, 422, 'validation_failed');
      expect(errors?.map(({ field }) => field).toSorted()).toEqual(['file_size', 'model', 'nltk']);
    });

    it('every endpoint answers 429 with Retry-After over its rate limit', async () => {
      const { service, unused } = getContext();
      const port = await findFreePort();
      // An additional API that admits one request per minute instead of 30 to 600.
      const env = { ...service.settings, PORT: String(port), RATE_LIMIT_FACTOR: '0.001' };
      const apiWithLowLimits = Program.launch('api', [], env, service.logFile);
      try {
        await apiWithLowLimits.waitUntilReady();
        const caller = new Client(`http://127.0.0.1:${port}`, unused[1].apiKey);
        for (const { name, call } of ROUTES) {
          expect((await call(caller)).status, name).not.toBe(429);
          const response = await call(caller);
          expectProblem(response, 429, 'rate_limit_exceeded');
          expect(Number(response.headers.get('retry-after')), name).toBeGreaterThan(0);
        }
      } finally {
        await apiWithLowLimits.stop();
      }
    });
  });
}
