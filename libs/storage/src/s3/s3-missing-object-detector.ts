import type { S3Client } from '@aws-sdk/client-s3';
import { assertBucketExists } from './s3-bucket.js';
import { s3ErrorName } from './s3-errors.js';

/** Spares a request for each of many misses, as when the store is compared with the database. */
const BUCKET_CHECK_LIFETIME_MS = 5_000;

/** Tells a missing object from a missing bucket, and from a proxy that answers 404. */
export class S3MissingObjectDetector {
  private checkedAt = -Infinity;
  private check: Promise<void> | null = null;

  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
  ) {}

  /** @returns whether the error says that there is no such object. @throws StoreUnavailableError without the bucket */
  async isObjectMissing(error: unknown): Promise<boolean> {
    const name = s3ErrorName(error);
    // Without a body, as for HEAD, or with one that does not name the error, a 404 may be about anything.
    if (name === 'NotFound') await this.assertBucketExists();
    return name === 'NoSuchKey' || name === 'NotFound';
  }

  private async assertBucketExists(): Promise<void> {
    if (performance.now() - this.checkedAt < BUCKET_CHECK_LIFETIME_MS) return;
    const startedAt = performance.now();
    this.check ??= assertBucketExists(this.client, this.bucket)
      .then(() => void (this.checkedAt = startedAt))
      .finally(() => (this.check = null));
    await this.check;
  }
}
