import { createS3Client } from './s3-client.js';
import type { S3StoreOptions } from './s3-store-options.js';

/**
 * When the credentials of the store expire: a signed URL is void from then on, whatever its own lifetime.
 * @returns undefined if they are permanent, or do not say
 * @throws CredentialsProviderError if the SDK finds none
 */
export async function readS3CredentialsExpiry(options: S3StoreOptions): Promise<Date | undefined> {
  const client = createS3Client(options, options.endpoint);
  try {
    return (await client.config.credentials()).expiration;
  } finally {
    client.destroy();
  }
}
