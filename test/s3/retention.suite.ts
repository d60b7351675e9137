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
/** The log message about audio and uploads that were left after their jobs had ended. */
const ORPHAN_MESSAGE = /deleted unneeded objects: .*(audio|open uploads)/;
const JUNK = new Uint8Array(20_000).fill(0x41);

/** Keys and upload ids of everything except transcripts. */
async function listLeftovers({ bucket }: S3Fixture): Promise<string[]> {
  const stored = await Promise.all([
    bucket.listKeys('audio/'),
    bucket.listKeys('work/'),
    bucket.listOpenUploads(),
  ]);
  return stored.flat();
}

export function describeRetention(fixture: () => S3Fixture): void {
  const cancel = async (jobId: string) =>
    expect(statusOf(await fixture().client.post('/jobs/cancel', { job_id: jobId }))).toBe('cancelled');

  /** Creates an upload of two parts and sends one. */
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
        const keys = (await bucket.listKeys()).filter((key) => key.includes(job_id));
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
      // Created last, because these uploads expire.
      const [{ job_id: cancelled }, { job_id: expired }] = [
        await client.upload(silentWav(1)),
        await client.upload(silentWav(1)),
      ];
      expect(await bucket.listOpenUploads()).toEqual(
        expect.arrayContaining([cancelledInParts.upload_id, aborted.upload_id]),
      );
      expect(await bucket.listKeys('audio/')).toEqual(
        expect.arrayContaining([`audio/${expired}`, `audio/${cancelled}`]),
      );
      for (const id of [cancelled, cancelledInParts.job_id]) await cancel(id);
      expect(statusOf(await abortMultipart(client, aborted.job_id))).toBe('aborted');

      const waitForEnd = async (id: string) => (await client.events(id)).at(-1);
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
      for (const id of completed) expect((await waitForEnd(id))?.name).toBe('completed');
      for (const [id, step] of others)
        expect(await waitForEnd(id)).toMatchObject({ name: 'failed', data: { step } });
      await expect.poll(() => listLeftovers(fixture()), { timeout: 30_000 }).toEqual([]);
      // Each was deleted when its job ended, and not by a later scan.
      expect(await service.log()).not.toMatch(ORPHAN_MESSAGE);

      for (const id of completed) {
        expect(await bucket.listKeys(`transcripts/${id}/`)).not.toEqual([]);
        const { download_url } = await client.job(id);
        expectStatus(200, await client.download(download_url ?? ''));
      }
      for (const [id] of others) expect(await bucket.listKeys(`transcripts/${id}/`)).toEqual([]);
    });

    it('the scan deletes objects that a row releases, and none of a waiting upload or without a row', async () => {
      const { service, client, bucket } = fixture();
      const [waiting, { job_id: sent }, { job_id: ended }] = [
        await startMultipart(),
        await client.upload(silentWav(1)),
        await client.upload(silentWav(1)),
      ];
      await cancel(ended);
      await expect.poll(() => bucket.listKeys(`audio/${ended}`), { timeout: 30_000 }).toEqual([]);
      const orphans = [`audio/${randomUUID()}`, `work/${randomUUID()}/f1/chunk-00000.wav`];
      for (const key of [...orphans, `audio/${ended}`]) await bucket.putObject(key, 'bytes');
      const uploads = [...orphans, `transcripts/${randomUUID()}/f1/document.json`];
      for (const key of uploads) orphans.push(await bucket.startUpload(key));
      const lateUpload = await bucket.startUpload(`audio/${ended}`);
      const listReleased = async () => {
        // A progress ping keeps the upload open, because its URL expires soon.
        await client.progress(sent);
        return [...(await bucket.listKeys(`audio/${ended}`)), ...(await bucket.listOpenUploads())].filter(
          (found) => found === lateUpload || found === `audio/${ended}`,
        );
      };
      await expect.poll(listReleased, { timeout: 30_000 }).toEqual([]);
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
