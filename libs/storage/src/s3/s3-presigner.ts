import { GetObjectCommand, PutObjectCommand, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { attachmentHeader } from '../content-disposition.js';
import type { PresignGetOptions, PresignPartOptions, PresignPutOptions } from '../object-store.js';
import { assertPartNumber } from '../multipart-parts.js';

/** Signs URLs for the public endpoint. */
export class S3Presigner {
  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
  ) {}

  put({ key, contentType, expiresIn }: PresignPutOptions): Promise<string> {
    const command = new PutObjectCommand({ Bucket: this.bucket, Key: key, ContentType: contentType });
    // By default the SDK does not sign the type and accepts a PUT with another one.
    return getSignedUrl(this.client, command, { expiresIn, signableHeaders: new Set(['content-type']) });
  }

  get({ key, expiresIn, filename }: PresignGetOptions): Promise<string> {
    const command = new GetObjectCommand({
      Bucket: this.bucket,
      Key: key,
      ResponseContentDisposition: filename === undefined ? undefined : attachmentHeader(filename),
    });
    return getSignedUrl(this.client, command, { expiresIn });
  }

  async part({ key, uploadId, partNumber, expiresIn }: PresignPartOptions): Promise<string> {
    assertPartNumber(partNumber);
    const part = { Bucket: this.bucket, Key: key, UploadId: uploadId, PartNumber: partNumber };
    return getSignedUrl(this.client, new UploadPartCommand(part), { expiresIn });
  }
}
