import { describe, expect, it } from 'vitest';
import { findFreePort } from '../../support/child-process.js';
import { silentWav } from '../support/audio.js';
import { Client, expectStatus } from '../support/client.js';
import { completeMultipart, createMultipart, statusOf } from '../support/multipart.js';
import { expectProblem } from '../support/problem.js';
import { Program } from '../support/program.js';
import { endOf } from './ends.js';
import { announce, ROUTES } from './routes.js';
import type { World } from './world.js';

export function describeSection7(world: () => World): void {
  describe('§7 errors', () => {
    it('insufficient credits answer 402 on the three creating routes while reads and cancellations work', async () => {
      const { poor, account } = world();
      const open = await poor.create({ file_size: 1 });
      const spent = await poor.submit(silentWav(1));
      expect((await endOf(poor, spent.job_id)).name).toBe('completed');
      const before = await poor.send('GET', '/api/v1/jobs');
      for (const refused of [
        await poor.post('/upload', { file_size: 1 }),
        await poor.post('/upload', { audio_url: `${world().receiver.url}/said.wav` }),
        await poor.post('/upload/multipart/create', { file_size: 1 }),
        await announce(poor, 1_000),
      ])
        expectProblem(refused, 402, 'insufficient_credits');
      expect(account.api_key).not.toBe(poor.apiKey);
      const after = await poor.send('GET', '/api/v1/jobs');
      expect([after.status, after.text]).toEqual([200, before.text]);
      expect((await poor.job(spent.job_id)).status).toBe('completed');
      expect(expectStatus(200, await poor.post('/jobs/check-failed', { job_ids: [open.job_id] }))).toEqual({
        failed_jobs: [false],
      });
      expect(statusOf(await poor.post('/jobs/cancel', { job_id: open.job_id }))).toBe('cancelled');
    });

    it('a valid request that cannot be acted on answers 400', async () => {
      const { client } = world();
      const single = await client.create({ file_size: 1 });
      const multipart = await createMultipart(client, { file_size: 1 });
      const parts = [{ part_number: 1, etag: '"x"' }];
      for (const answer of [
        await client.complete(single.job_id),
        await completeMultipart(client, multipart.job_id, parts),
        await client.send('GET', '/api/v1/jobs?limit=1000'),
      ])
        expectProblem(answer, 400);
    });

    it('a 422 names every invalid field', async () => {
      const { client } = world();
      const answer = await client.post('/upload', { file_size: 'x', model: 1, nltk: 'no' });
      const { errors } = expectProblem(answer, 422, 'validation_failed');
      expect(errors?.map(({ field }) => field).toSorted()).toEqual(['file_size', 'model', 'nltk']);
    });

    it('every endpoint answers 429 with Retry-After over its rate limit', async () => {
      const { service, unused } = world();
      const port = await findFreePort();
      // An additional API that admits one request a minute instead of 30 to 600.
      const env = { ...service.settings, PORT: String(port), RATE_LIMIT_FACTOR: '0.001' };
      const narrow = Program.launch('api', [], env, service.logFile);
      try {
        await narrow.untilReady();
        const caller = new Client(`http://127.0.0.1:${port}`, unused[1].apiKey);
        for (const { name, call } of ROUTES) {
          expect((await call(caller)).status, name).not.toBe(429);
          const refused = await call(caller);
          expectProblem(refused, 429, 'rate_limit_exceeded');
          expect(Number(refused.headers.get('retry-after')), name).toBeGreaterThan(0);
        }
      } finally {
        await narrow.stop();
      }
    });
  });
}
