import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { silent } from '../e2e/support/audio.js';
import { expected } from '../e2e/support/client.js';
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  putPart,
  putParts,
  statusOf,
} from '../e2e/support/multipart.js';
import { until } from '../e2e/support/until.js';
import type { S3World } from './world.js';

const MIB = 2 ** 20;
/** What the upkeep says of audio and uploads that it found without a job. */
const FOUND_ASTRAY = /without a job: (?:[1-9]\d* audio|.*[1-9]\d* open uploads)/;
const JUNK = new Uint8Array(20_000).fill(0x41);

/** What must not stay: audio, what the stages made of it, and parts of uploads that are open. */
async function leftOver({ bucket }: S3World): Promise<string[]> {
  const kept = await Promise.all([bucket.keys('audio/'), bucket.keys('work/'), bucket.openUploads()]);
  return kept.flat();
}

export function describeRetention(world: () => S3World): void {
  const cancel = async (jobId: string) =>
    expect(statusOf(await world().client.post('/jobs/cancel', { job_id: jobId }))).toBe('cancelled');

  /** An upload in two parts, one of them sent. */
  const begun = async () => {
    const created = await createMultipart(world().client, { file_size: 6 * MIB, part_size: 5 * MIB });
    await putPart(world().client, created, 1, new Uint8Array(5 * MIB));
    return created;
  };

  describe('§8 audio retention in a bucket', () => {
    it('leaves the transcript of a finished job and nothing else', async () => {
      const { client, bucket } = world();
      const { job_id } = await client.submit(silent(2));
      expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
      await until('only the transcript is left', async () => {
        const keys = (await bucket.keys()).filter((key) => key.includes(job_id));
        return keys.length > 0 && keys.every((key) => key.startsWith('transcripts/'));
      });
    });

    it('leaves no bytes of jobs that completed, failed, expired, were cancelled or aborted', async () => {
      const { service, client, bucket } = world();
      const whole = await createMultipart(client, { file_size: 1 });
      const parts = await putParts(client, whole, silent(2));
      expect(statusOf(await completeMultipart(client, whole.job_id, parts))).toBe('queued');
      const { job_id: single } = await client.submit(silent(1));
      const { job_id: failed } = await client.submit(JUNK);
      const [cancelledInParts, aborted] = [await begun(), await begun()];
      // The last, as their time runs.
      const [{ job_id: cancelled }, { job_id: expired }] = [
        await client.upload(silent(1)),
        await client.upload(silent(1)),
      ];
      expect(await bucket.openUploads()).toEqual(
        expect.arrayContaining([cancelledInParts.upload_id, aborted.upload_id]),
      );
      expect(await bucket.keys('audio/')).toEqual(
        expect.arrayContaining([`audio/${expired}`, `audio/${cancelled}`]),
      );
      for (const id of [cancelled, cancelledInParts.job_id]) await cancel(id);
      expect(statusOf(await abortMultipart(client, aborted.job_id))).toBe('aborted');

      const endOf = async (id: string) => (await client.events(id)).at(-1);
      const [completed, others] = [
        [whole.job_id, single],
        [
          [failed, 'preprocess'],
          [cancelled, 'cancelled'],
          [cancelledInParts.job_id, 'cancelled'],
          [aborted.job_id, 'upload'],
          [expired, 'upload'],
        ] as const,
      ];
      for (const id of completed) expect((await endOf(id))?.name).toBe('completed');
      for (const [id, step] of others)
        expect(await endOf(id)).toMatchObject({ name: 'failed', data: { step } });
      await expect.poll(() => leftOver(world()), { timeout: 30_000 }).toEqual([]);
      // Each was deleted with its job, and not found later.
      expect(await service.log()).not.toMatch(FOUND_ASTRAY);

      for (const id of completed) {
        expect(await bucket.keys(`transcripts/${id}/`)).not.toEqual([]);
        const { download_url } = await client.job(id);
        expected(200, await client.download(download_url ?? ''));
      }
      for (const [id] of others) expect(await bucket.keys(`transcripts/${id}/`)).toEqual([]);
    });

    it('deletes what belongs to no job, open uploads too, and nothing of a job that waits for its bytes', async () => {
      const { service, client, bucket } = world();
      const [waiting, { job_id: sent }] = [await begun(), await client.upload(silent(1))];
      const [audio, work] = [`audio/${randomUUID()}`, `work/${randomUUID()}/f1/chunk-00000.wav`];
      const uploads = [await bucket.openUpload(audio), await bucket.openUpload(work)];
      uploads.push(await bucket.openUpload(`transcripts/${randomUUID()}/f1/document.json`));
      for (const key of [audio, work]) await bucket.put(key, 'bytes');
      expect(await leftOver(world())).toEqual(expect.arrayContaining([audio, work, ...uploads]));
      const leftMeanwhile = async () => {
        // Its address is short-lived here: a ping keeps the upload open, however slow the store is.
        await client.progress(sent);
        return leftOver(world());
      };
      await expect.poll(leftMeanwhile, { timeout: 30_000 }).toEqual([`audio/${sent}`, waiting.upload_id]);
      await until('it is told', async () => FOUND_ASTRAY.test(await service.log()));
      expect((await putPart(client, waiting, 2, silent(1))).etag).toMatch(/\w/);
      for (const id of [sent, waiting.job_id]) await cancel(id);
      await expect.poll(() => leftOver(world()), { timeout: 30_000 }).toEqual([]);
    });
  });
}
