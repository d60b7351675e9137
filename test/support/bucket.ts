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

  async keys(prefix = ''): Promise<string[]> {
    const found: string[] = [];
    const pages = paginateListObjectsV2({ client: this.client }, { Bucket: this.name, Prefix: prefix });
    for await (const { Contents = [] } of pages) found.push(...Contents.map(({ Key = '' }) => Key));
    return found;
  }

  /** Ids of uploads that were neither completed nor aborted. @throws Error above a thousand: it reads one page. */
  async openUploads(): Promise<string[]> {
    const answer = await this.client.send(new ListMultipartUploadsCommand({ Bucket: this.name }));
    if (answer.IsTruncated === true) throw new Error('more open uploads than one answer holds');
    return (answer.Uploads ?? []).map(({ UploadId = '' }) => UploadId);
  }

  async read(key: string): Promise<Readable> {
    return (await this.open(key))?.body ?? Readable.from([]);
  }

  /** The bytes with their stored metadata; null when there is no such object. */
  async open(key: string): Promise<{ body: Readable; size: number; etag: string } | null> {
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

  async put(key: string, body: string): Promise<void> {
    await this.client.send(new PutObjectCommand({ Bucket: this.name, Key: key, Body: body }));
  }

  /** An upload with one part, left open. @returns its id. */
  async openUpload(key: string): Promise<string> {
    const target = { Bucket: this.name, Key: key };
    const { UploadId = '' } = await this.client.send(new CreateMultipartUploadCommand(target));
    await this.client.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: 'a part' }));
    return UploadId;
  }

  close(): void {
    this.client.destroy();
  }
}
