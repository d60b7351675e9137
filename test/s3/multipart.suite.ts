import { describe, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  putPart,
  putParts,
  statusOf,
} from '../e2e/support/multipart.js';
import { expectProblem } from '../e2e/support/problem.js';
import type { S3Fixture } from './s3-fixture.js';

const MIB = 2 ** 20;

export function describeMultipart(fixture: () => S3Fixture): void {
  describe('§4.4 to §4.6 multipart uploads in S3', () => {
    it('the parts of a multipart upload are signed, sent, assembled and processed', async () => {
      const { client } = fixture();
      const audio = silentWav(200);
      const created = await createMultipart(client, { file_size: audio.length, part_size: 5 * MIB });
      expect(created.num_parts).toBe(2);
      const parts = await putParts(client, created, audio);
      const wrong = parts.map((part) => ({ ...part, etag: '"00"' }));
      const { errors } = expectProblem(await completeMultipart(client, created.job_id, wrong), 400);
      expect(errors).toMatchObject([{ field: 'parts.1.etag' }]);
      const responses = await Promise.all(
        [1, 2, 3].map(() => completeMultipart(client, created.job_id, parts)),
      );
      expect(responses.map(statusOf).filter((status) => status === 'queued')).toHaveLength(1);
      expect((await client.events(created.job_id)).at(-1)?.name).toBe('completed');
    });

    it('an aborted multipart upload is deleted and accepts no more parts', async () => {
      const { client } = fixture();
      const created = await createMultipart(client, { file_size: 1 });
      const parts = [await putPart(client, created, 1, silentWav(1))];
      expect(statusOf(await abortMultipart(client, created.job_id))).toBe('aborted');
      expect(statusOf(await abortMultipart(client, created.job_id))).toBe('aborted');
      expect(statusOf(await completeMultipart(client, created.job_id, parts))).toBe('failed');
      const lateResponse = await client.put(
        created.parts[0]?.url ?? '',
        silentWav(1),
        'application/octet-stream',
      );
      expect(lateResponse.status).toBe(404);
    });

    it('ten thousand part URLs are signed within seconds', async () => {
      const { client } = fixture();
      const startedAt = performance.now();
      const { job_id, num_parts, parts } = await createMultipart(client, {
        file_size: 10_000 * 6 * MIB,
        part_size: 1,
      });
      console.log(`${num_parts} URLs after ${Math.round(performance.now() - startedAt)} ms`);
      expect(num_parts).toBe(10_000);
      expect(new Set(parts.map(({ url }) => url)).size).toBe(10_000);
      expect(statusOf(await abortMultipart(client, job_id))).toBe('aborted');
    });
  });
}
