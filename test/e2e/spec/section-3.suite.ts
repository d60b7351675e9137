import { describe, expect, it } from 'vitest';
import { ADDED_FIELDS } from '../support/added-fields.js';
import { silentWav } from '../support/audio.js';
import { expectStatus, type JobEvent } from '../support/client.js';
import { completeMultipart, createMultipart, putPart, statusOf } from '../support/multipart.js';
import { expectProblem } from '../support/problem.js';
import { until } from '../support/until.js';
import { waitForEnd } from './ends.js';
import type { SpecContext } from './spec-context.js';

export function describeSection3(getContext: () => SpecContext): void {
  describe('§3 states', () => {
    it('single and multipart uploads are not queued until their complete call succeeds', async () => {
      const { client } = getContext();
      const single = await client.upload(silentWav(1));
      const multipart = await createMultipart(client, { file_size: 1 });
      const part = await putPart(client, multipart, 1, silentWav(1));
      const disconnect = new AbortController();
      const received: JobEvent[] = [];
      const listening = [single, multipart].map(async ({ job_id }) => {
        for await (const event of client.stream(job_id, { signal: disconnect.signal })) received.push(event);
      });
      await until('both streams had time to send an event', () => received.length >= 5);
      disconnect.abort();
      await Promise.allSettled(listening);
      expect(received.filter(({ name }) => name !== '')).toEqual([]);
      for (const { job_id } of [single, multipart])
        expect(await client.job(job_id)).toMatchObject({ status: 'processing', download_url: null });
      expect(statusOf(await client.complete(single.job_id))).toBe('queued');
      expect(statusOf(await completeMultipart(client, multipart.job_id, [part]))).toBe('queued');
      for (const { job_id } of [single, multipart]) {
        expect((await waitForEnd(client, job_id)).name).toBe('completed');
        expect(await client.job(job_id)).toMatchObject({
          status: 'completed',
          download_url: expect.stringMatching(/^http/),
          failed_stage: null,
          reason: null,
        });
      }
    });

    it('a job with audio_url is queued at its creation', async () => {
      const { client, receiver } = getContext();
      const created = await client.create({ audio_url: receiver.serve('/silence.wav', silentWav(1)) });
      expect((await waitForEnd(client, created.job_id)).name).toBe('completed');
      expect(statusOf(await client.complete(created.job_id))).toBe('completed');
    });

    it('a failed job has a stage and a reason and no download URL', async () => {
      const { client } = getContext();
      const { job_id, download_url } = await client.submit(new Uint8Array(2_000));
      const { name, data } = await waitForEnd(client, job_id);
      expect(name).toBe('failed');
      expect(await client.job(job_id)).toEqual({
        job_id,
        status: 'failed',
        download_url: null,
        failed_stage: data['step'],
        reason: data['reason'],
        ...ADDED_FIELDS,
      });
      expect(data['reason']).toMatch(/\w+ \w+/);
      expect((await client.download(download_url)).status).toBe(404);
      expect(statusOf(await client.complete(job_id))).toBe('failed');
    });

    it('a complete call without bytes answers 400 and the upload continues', async () => {
      const { client } = getContext();
      const { job_id, upload_url, content_type } = await client.create({ file_size: 10 });
      expectProblem(await client.complete(job_id), 400, 'upload_incomplete');
      expectStatus(200, await client.put(upload_url, silentWav(1), content_type));
      expect(statusOf(await client.complete(job_id))).toBe('queued');
    });
  });
}
