import { describe, expect, it } from 'vitest';
import {
  createLargeMultipart,
  computeDigest,
  expectDecodeFailure,
  LARGE_BYTES,
  uploadLargeMultipart,
} from '../e2e/support/large-multipart.js';
import type { S3Fixture } from './s3-fixture.js';

const WITHIN_MS = 60_000;

export function describeLarge(fixture: () => S3Fixture): void {
  describe('§4.4 a large file in parts, in S3', () => {
    it('600 MB in six concurrent parts are stored as sent, processed, and deleted', async () => {
      const { service, client, bucket } = fixture();
      const startedAt = performance.now();
      const created = await createLargeMultipart(client);
      const key = `audio/${created.job_id}`;
      // The object is checked before the sweep may delete it.
      await service.whileStopped('processor', async () => {
        const sha256 = await uploadLargeMultipart(client, created);
        const sentAt = performance.now();
        expect(await computeDigest(await bucket.read(key))).toEqual({ size: LARGE_BYTES, sha256 });
        const readAt = performance.now();
        console.log(`600 MB to S3: sent in ${ms(sentAt - startedAt)}, read back in ${ms(readAt - sentAt)}`);
        expect(sentAt - startedAt).toBeLessThan(WITHIN_MS);
      });
      await expectDecodeFailure(client, created);
      await expect.poll(() => bucket.keys(key), { timeout: 30_000 }).toEqual([]);
      expect(await bucket.openUploads()).not.toContain(created.upload_id);
    });
  });
}

const ms = (duration: number) => `${Math.round(duration)} ms`;
