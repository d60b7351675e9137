import { Readable } from 'node:stream';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { unquoteEtag } from '../multipart-parts.js';
import { withMappedS3Errors } from './s3-errors.js';
import { S3_PART_BYTES } from './s3-store-options.js';

const MAX_PARTS_IN_FLIGHT = 2;

interface UploadTarget {
  bucket: string;
  key: string;
  contentType: string;
}

/** Uses a multipart upload for a long body; a body that fails leaves nothing. */
export async function uploadBody(
  client: S3Client,
  { bucket, key, contentType }: UploadTarget,
  body: Readable | Buffer,
): Promise<{ size: number; etag: string }> {
  const target = { Bucket: bucket, Key: key, ContentType: contentType };
  if (Buffer.isBuffer(body)) {
    const output = await withMappedS3Errors(() =>
      client.send(new PutObjectCommand({ ...target, Body: body })),
    );
    return { size: body.byteLength, etag: unquoteEtag(output.ETag ?? '') };
  }
  const source = new MeteredBody(body);
  try {
    const upload = new Upload({
      client,
      params: { ...target, Body: Readable.from(source.chunks(), { objectMode: false }) },
      partSize: S3_PART_BYTES,
      queueSize: MAX_PARTS_IN_FLIGHT,
      leavePartsOnError: false,
    });
    const output = await withMappedS3Errors(() => upload.done());
    return { size: source.size, etag: unquoteEtag(output.ETag ?? '') };
  } catch (error) {
    throw source.failure ?? error;
  } finally {
    body.destroy();
  }
}

/** Records errors of the body, so that a disconnected sender is not reported as an unavailable store. */
class MeteredBody {
  size = 0;
  failure: unknown;

  constructor(private readonly body: Readable) {}

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.body) {
        const bytes: Uint8Array = chunk;
        this.size += bytes.byteLength;
        yield bytes;
      }
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
