import { describe, expect, it } from 'vitest';
import {
  createLargeMultipart,
  computeDigest,
  expectDecodeFailure,
  LARGE_BYTES,
  uploadLargeMultipart,
} from '../e2e/support/large-multipart.js';
import type { S3Fixture } from './s3-fixture.js';

const MAX_UPLOAD_MS = 60_000;

export function describeLarge(fixture: () => S3Fixture): void {
  describe('§4.4 a large file in parts, in S3', () => {
    it('600 MB in six concurrent parts are stored as sent, processed, and deleted', async () => {
      const { service, client, bucket } = fixture();
      const startedAt = performance.now();
      const created = await createLargeMultipart(client);
      const key = `audio/${created.job_id}`;
      // The processor would delete the object.
      await service.whileStopped('processor', async () => {
        const sha256 = await uploadLargeMultipart(client, created);
        const sentAt = performance.now();
        expect(await computeDigest(await bucket.readObject(key))).toEqual({ size: LARGE_BYTES, sha256 });
        const readAt = performance.now();
        console.log(
          `600 MB to S3: sent in ${formatMs(sentAt - startedAt)}, read back in ${formatMs(readAt - sentAt)}`,
        );
        expect(sentAt - startedAt).toBeLessThan(MAX_UPLOAD_MS);
      });
      await expectDecodeFailure(client, created);
      await expect.poll(() => bucket.listKeys(key), { timeout: 30_000 }).toEqual([]);
      expect(await bucket.listOpenUploads()).not.toContain(created.upload_id);
    });
  });
}

const formatMs = (duration: number) => `${Math.round(duration)} ms`;
