import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';

const CHECKSUM_HEADER = /^x-amz-(sdk-)?checksum-/i;

interface SerializedRequest {
  headers: Record<string, string>;
  body: unknown;
}

/**
 * Replaces the CRC-32 of requests that S3 accepts only with a checksum, such as `DeleteObjects`, by `Content-MD5`. Older
 * servers with the interface of S3 require that and reject a request without it; all accept it.
 */
export function replaceChecksumsByContentMd5(client: S3Client): void {
  client.middlewareStack.add(
    (next) => (input) => {
      const { headers, body } = input.request as SerializedRequest;
      const names = Object.keys(headers).filter((name) => CHECKSUM_HEADER.test(name));
      if (names.length > 0 && (typeof body === 'string' || body instanceof Uint8Array)) {
        for (const name of names) delete headers[name];
        headers['content-md5'] = createHash('md5').update(body).digest('base64');
      }
      return next(input);
    },
    // After the SDK's checksum and before the signature.
    { step: 'build', priority: 'low', name: 'replaceChecksumsByContentMd5' },
  );
}
