import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import type { Radosgw } from './radosgw.js';

/** The service's settings for a bucket, which it creates itself. */
export function bucketSettings(s3: Radosgw, bucket: string): Record<string, string> {
  return {
    S3_BUCKET: bucket,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  };
}

/** A client of a bucket that uses no code of the service. */
export class Bucket {
  private readonly client: S3Client;

  constructor(
    { endpoint, region, credentials }: Radosgw,
    private readonly name: string,
  ) {
    this.client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  }

  async listKeys(prefix = ''): Promise<string[]> {
    const found: string[] = [];
    const pages = paginateListObjectsV2({ client: this.client }, { Bucket: this.name, Prefix: prefix });
    for await (const { Contents = [] } of pages) found.push(...Contents.map(({ Key = '' }) => Key));
    return found;
  }

  /** Ids of multipart uploads that were neither completed nor aborted. @throws Error if there are more than one page (1000) */
  async listOpenUploads(): Promise<string[]> {
    const page = await this.client.send(new ListMultipartUploadsCommand({ Bucket: this.name }));
    if (page.IsTruncated === true) throw new Error('more open uploads than one page contains');
    return (page.Uploads ?? []).map(({ UploadId = '' }) => UploadId);
  }

  async readObject(key: string): Promise<Readable> {
    return (await this.openObject(key))?.body ?? Readable.from([]);
  }

  /** An object with its metadata; null if it does not exist. */
  async openObject(key: string): Promise<{ body: Readable; size: number; etag: string } | null> {
    try {
      const { Body, ContentLength, ETag } = await this.client.send(
        new GetObjectCommand({ Bucket: this.name, Key: key }),
      );
      const body = Body instanceof Readable ? Body : Readable.from([]);
      return { body, size: ContentLength ?? 0, etag: (ETag ?? '').replaceAll('"', '') };
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async putObject(key: string, body: string): Promise<void> {
    await this.client.send(new PutObjectCommand({ Bucket: this.name, Key: key, Body: body }));
  }

  /** Starts a multipart upload and uploads one part. @returns the id of the upload */
  async startUpload(key: string): Promise<string> {
    const target = { Bucket: this.name, Key: key };
    const { UploadId = '' } = await this.client.send(new CreateMultipartUploadCommand(target));
    await this.client.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: 'a part' }));
    return UploadId;
  }

  close(): void {
    this.client.destroy();
  }
}
