import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { expectStatus } from '../e2e/support/client.js';
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
/** What a processor says of audio and uploads that it found behind jobs that had ended. */
const FOUND_ASTRAY = /deleted unneeded objects: .*(audio|open uploads)/;
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
      const { job_id } = await client.submit(silentWav(2));
      expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
      await until('only the transcript is left', async () => {
        const keys = (await bucket.keys()).filter((key) => key.includes(job_id));
        return keys.length > 0 && keys.every((key) => key.startsWith('transcripts/'));
      });
    });

    it('leaves no bytes of jobs that completed, failed, expired, were cancelled or aborted', async () => {
      const { service, client, bucket } = world();
      const whole = await createMultipart(client, { file_size: 1 });
      const parts = await putParts(client, whole, silentWav(2));
      expect(statusOf(await completeMultipart(client, whole.job_id, parts))).toBe('queued');
      const { job_id: single } = await client.submit(silentWav(1));
      const { job_id: failed } = await client.submit(JUNK);
      const [cancelledInParts, aborted] = [await begun(), await begun()];
      // The last, as their time runs.
      const [{ job_id: cancelled }, { job_id: expired }] = [
        await client.upload(silentWav(1)),
        await client.upload(silentWav(1)),
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
        expectStatus(200, await client.download(download_url ?? ''));
      }
      for (const [id] of others) expect(await bucket.keys(`transcripts/${id}/`)).toEqual([]);
    });

    it('deletes what a row releases, and nothing of a job that waits for its bytes, or of which no row speaks', async () => {
      const { service, client, bucket } = world();
      const [waiting, { job_id: sent }, { job_id: ended }] = [
        await begun(),
        await client.upload(silentWav(1)),
        await client.upload(silentWav(1)),
      ];
      await cancel(ended);
      await expect.poll(() => bucket.keys(`audio/${ended}`), { timeout: 30_000 }).toEqual([]);
      const orphans = [`audio/${randomUUID()}`, `work/${randomUUID()}/f1/chunk-00000.wav`];
      for (const key of [...orphans, `audio/${ended}`]) await bucket.put(key, 'bytes');
      const uploads = [...orphans, `transcripts/${randomUUID()}/f1/document.json`];
      for (const key of uploads) orphans.push(await bucket.openUpload(key));
      const lateUpload = await bucket.openUpload(`audio/${ended}`);
      const released = async () => {
        // Its address is short-lived here: a ping keeps the upload open, however slow the store is.
        await client.progress(sent);
        return [...(await bucket.keys(`audio/${ended}`)), ...(await bucket.openUploads())].filter(
          (found) => found === lateUpload || found === `audio/${ended}`,
        );
      };
      await expect.poll(released, { timeout: 30_000 }).toEqual([]);
      await until('it is told', async () => FOUND_ASTRAY.test(await service.log()));
      expect(await leftOver(world())).toEqual(
        expect.arrayContaining([...orphans, `audio/${sent}`, waiting.upload_id]),
      );
      expect((await putPart(client, waiting, 2, silentWav(1))).etag).toMatch(/\w/);
      for (const id of [sent, waiting.job_id]) await cancel(id);
      const left = async () => (await leftOver(world())).toSorted();
      await expect.poll(left, { timeout: 30_000 }).toEqual(orphans.toSorted());
    });
  });
}
