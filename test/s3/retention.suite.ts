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
import type { S3Fixture } from './s3-fixture.js';

const MIB = 2 ** 20;
/** The log messages about audio and uploads that were found after their jobs had ended. */
const ORPHAN_MESSAGE = /deleted unneeded objects: .*(audio|open uploads)/;
const JUNK = new Uint8Array(20_000).fill(0x41);

/** Objects that must not stay: audio, results of stages, and parts of open uploads. */
async function listLeftovers({ bucket }: S3Fixture): Promise<string[]> {
  const stored = await Promise.all([bucket.keys('audio/'), bucket.keys('work/'), bucket.openUploads()]);
  return stored.flat();
}

export function describeRetention(fixture: () => S3Fixture): void {
  const cancel = async (jobId: string) =>
    expect(statusOf(await fixture().client.post('/jobs/cancel', { job_id: jobId }))).toBe('cancelled');

  /** An upload in two parts, one of them sent. */
  const startMultipart = async () => {
    const created = await createMultipart(fixture().client, { file_size: 6 * MIB, part_size: 5 * MIB });
    await putPart(fixture().client, created, 1, new Uint8Array(5 * MIB));
    return created;
  };

  describe('§8 audio retention in a bucket', () => {
    it('the bucket contains only the transcript of a finished job', async () => {
      const { client, bucket } = fixture();
      const { job_id } = await client.submit(silentWav(2));
      expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
      await until('only the transcript is left', async () => {
        const keys = (await bucket.keys()).filter((key) => key.includes(job_id));
        return keys.length > 0 && keys.every((key) => key.startsWith('transcripts/'));
      });
    });

    it('the bucket contains no audio of jobs that completed, failed, expired, were cancelled or aborted', async () => {
      const { service, client, bucket } = fixture();
      const uploaded = await createMultipart(client, { file_size: 1 });
      const parts = await putParts(client, uploaded, silentWav(2));
      expect(statusOf(await completeMultipart(client, uploaded.job_id, parts))).toBe('queued');
      const { job_id: single } = await client.submit(silentWav(1));
      const { job_id: failed } = await client.submit(JUNK);
      const [cancelledInParts, aborted] = [await startMultipart(), await startMultipart()];
      // Runs last, because these uploads have to expire.
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
        [uploaded.job_id, single],
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
      await expect.poll(() => listLeftovers(fixture()), { timeout: 30_000 }).toEqual([]);
      // Each was deleted with its job, not found later by a scan.
      expect(await service.log()).not.toMatch(ORPHAN_MESSAGE);

      for (const id of completed) {
        expect(await bucket.keys(`transcripts/${id}/`)).not.toEqual([]);
        const { download_url } = await client.job(id);
        expectStatus(200, await client.download(download_url ?? ''));
      }
      for (const [id] of others) expect(await bucket.keys(`transcripts/${id}/`)).toEqual([]);
    });

    it('the scan deletes objects that a row releases, and none of a waiting upload or without a row', async () => {
      const { service, client, bucket } = fixture();
      const [waiting, { job_id: sent }, { job_id: ended }] = [
        await startMultipart(),
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
        // Its URL is short-lived here: a ping keeps the upload open, however slow the store is.
        await client.progress(sent);
        return [...(await bucket.keys(`audio/${ended}`)), ...(await bucket.openUploads())].filter(
          (found) => found === lateUpload || found === `audio/${ended}`,
        );
      };
      await expect.poll(released, { timeout: 30_000 }).toEqual([]);
      await until('the orphans are logged', async () => ORPHAN_MESSAGE.test(await service.log()));
      expect(await listLeftovers(fixture())).toEqual(
        expect.arrayContaining([...orphans, `audio/${sent}`, waiting.upload_id]),
      );
      expect((await putPart(client, waiting, 2, silentWav(1))).etag).toMatch(/\w/);
      for (const id of [sent, waiting.job_id]) await cancel(id);
      const leftovers = async () => (await listLeftovers(fixture())).toSorted();
      await expect.poll(leftovers, { timeout: 30_000 }).toEqual(orphans.toSorted());
    });
  });
}
