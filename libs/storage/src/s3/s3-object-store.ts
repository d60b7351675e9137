import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { checkDeletablePrefix, checkKey, checkPrefix } from '../keys.js';
import { neighbour } from '../neighbour.js';
import type {
  ByteRange,
  FetchOptions,
  ListedObject,
  ObjectInfo,
  ObjectStore,
  OpenUpload,
  PresignGet,
  PresignPart,
  PresignPut,
  UnreferencedSweep,
  UploadedPart,
} from '../object-store.js';
import { bareEtag } from '../parts.js';
import { ObjectChanged, ObjectMissing, RangeUnsatisfiable, StoreUnavailable } from '../store-errors.js';
import { ensureBucket, findBucket } from './s3-bucket.js';
import { createS3Client } from './s3-client.js';
import { isMissingObject, onS3, statusOf } from './s3-errors.js';
import { S3Multipart } from './s3-multipart.js';
import { S3Presigner } from './s3-presigner.js';
import { putIfAbsent } from './s3-put-if-absent.js';
import type { S3StoreOptions } from './s3-store-options.js';
import { uploadBody } from './s3-upload.js';

/** Objects in one bucket of an S3 store. Nothing is asked of the store before the first call. */
export class S3ObjectStore implements ObjectStore {
  readonly kind = 's3';
  private readonly bucket: string;
  private readonly client: S3Client;
  private readonly publicClient: S3Client;
  private readonly presigner: S3Presigner;
  private readonly multipart: S3Multipart;

  constructor(private readonly options: S3StoreOptions) {
    this.bucket = options.bucket;
    this.client = createS3Client(options, options.endpoint);
    this.publicClient = createS3Client(options, options.publicEndpoint ?? options.endpoint);
    this.presigner = new S3Presigner(this.publicClient, options.bucket);
    this.multipart = new S3Multipart(this.client, options.bucket);
  }

  async presignPut(request: PresignPut): Promise<string> {
    checkKey(request.key);
    return onS3(() => this.presigner.put(request));
  }

  async presignGet(request: PresignGet): Promise<string> {
    checkKey(request.key);
    return onS3(() => this.presigner.get(request));
  }

  async presignPart(request: PresignPart): Promise<string> {
    checkKey(request.key);
    return onS3(() => this.presigner.part(request));
  }

  async head(key: string): Promise<ObjectInfo | null> {
    checkKey(key);
    return onS3(async () => {
      try {
        const answer = await this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key }));
        return {
          key,
          size: answer.ContentLength ?? 0,
          etag: bareEtag(answer.ETag ?? ''),
          contentType: answer.ContentType ?? 'application/octet-stream',
          modifiedAt: answer.LastModified ?? new Date(0),
        };
      } catch (error) {
        if (isMissingObject(error)) return null;
        throw error;
      }
    });
  }

  async put(key: string, body: Readable | Buffer, contentType: string): Promise<ObjectInfo> {
    checkKey(key);
    const sent = await uploadBody(this.client, { bucket: this.bucket, key, contentType }, body);
    // Not every store tells the etag of an object that was sent in parts.
    if (sent.etag === '') return this.headAfterWriting(key);
    return { key, ...sent, contentType, modifiedAt: new Date() };
  }

  async putIfAbsent(key: string, body: Buffer, contentType: string): Promise<boolean> {
    checkKey(key);
    return onS3(() => putIfAbsent(this.client, { Bucket: this.bucket, Key: key }, body, contentType));
  }

  get(key: string, range?: ByteRange): Promise<Readable> {
    return this.open(key, range);
  }

  private async open(
    key: string,
    range?: ByteRange,
    { ifEtag, signal }: FetchOptions = {},
  ): Promise<Readable> {
    checkKey(key);
    const command = new GetObjectCommand({
      Bucket: this.bucket,
      Key: key,
      Range: range && `bytes=${range.start}-${range.end ?? ''}`,
      IfMatch: ifEtag && `"${ifEtag}"`,
    });
    return onS3(async () => {
      try {
        const { Body } = await this.client.send(command, { abortSignal: signal });
        return Body instanceof Readable ? Body : Readable.from([]);
      } catch (error) {
        if (isMissingObject(error)) throw new ObjectMissing(key);
        if (statusOf(error) === 412) throw new ObjectChanged(key);
        if (statusOf(error) === 416) throw new RangeUnsatisfiable(key, null);
        throw error;
      }
    }, signal);
  }

  async fetchToFile(key: string, path: string, options: FetchOptions = {}): Promise<void> {
    const { signal } = options;
    const body = await this.open(key, undefined, options);
    const near = neighbour(path);
    try {
      const file = createWriteStream(near, { flags: 'wx', mode: 0o600 });
      await onS3(() => pipeline(body, file, { signal }), signal);
      await rename(near, path);
    } finally {
      await rm(near, { force: true });
    }
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    await onS3(() => this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key })));
  }

  async deletePrefix(prefix: string): Promise<void> {
    checkDeletablePrefix(prefix);
    await onS3(async () => {
      for await (const keys of this.pagesOfKeys(prefix)) {
        const command = new DeleteObjectsCommand({
          Bucket: this.bucket,
          Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
        });
        const [failed] = (await this.client.send(command)).Errors ?? [];
        if (failed)
          throw new StoreUnavailable(`The object store did not delete ${failed.Key} (${failed.Code}).`);
      }
    });
  }

  private async *pagesOfKeys(prefix: string): AsyncGenerator<string[]> {
    for await (const page of this.pages(prefix)) {
      const keys = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
      if (keys.length > 0) yield keys;
    }
  }

  private pages(prefix: string, signal?: AbortSignal) {
    const wanted = { Bucket: this.bucket, Prefix: prefix };
    return paginateListObjectsV2({ client: this.client }, wanted, { abortSignal: signal });
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncGenerator<ListedObject> {
    checkPrefix(prefix);
    const pages = this.pages(prefix, signal);
    for (;;) {
      const { value: page, done } = await onS3(() => pages.next(), signal);
      if (done || page === undefined) return;
      for (const { Key, Size, ETag, LastModified } of page.Contents ?? []) {
        signal?.throwIfAborted();
        if (Key === undefined) continue;
        yield {
          key: Key,
          size: Size ?? 0,
          etag: bareEtag(ETag ?? ''),
          modifiedAt: LastModified ?? new Date(0),
        };
      }
    }
  }

  async createMultipart(key: string, contentType: string): Promise<string> {
    checkKey(key);
    return onS3(() => this.multipart.create(key, contentType));
  }

  async completeMultipart(
    key: string,
    uploadId: string,
    parts: UploadedPart[],
    partSize: number | null = null,
  ): Promise<ObjectInfo> {
    checkKey(key);
    await onS3(() => this.multipart.complete(key, uploadId, parts, partSize));
    return this.headAfterWriting(key);
  }

  private async headAfterWriting(key: string): Promise<ObjectInfo> {
    const info = await this.head(key);
    if (info === null) throw new ObjectMissing(key);
    return info;
  }

  async abortMultipart(key: string, uploadId: string): Promise<void> {
    checkKey(key);
    await onS3(() => this.multipart.abort(key, uploadId));
  }

  async *listUploads(prefix: string, signal?: AbortSignal): AsyncGenerator<OpenUpload> {
    checkPrefix(prefix);
    const uploads = this.multipart.list(prefix, signal);
    for (;;) {
      const { value, done } = await onS3(() => uploads.next(), signal);
      if (done) return;
      yield value;
    }
  }

  /** A write that is cut off is an open upload, or nothing. */
  sweep(): Promise<number> {
    return Promise.resolve(0);
  }

  sweepUnreferenced(): Promise<UnreferencedSweep> {
    return Promise.resolve({ examined: 0, found: 0, removed: 0 });
  }

  async provision(): Promise<void> {
    await onS3(() => ensureBucket(this.client, this.options));
  }

  async ping(): Promise<void> {
    await onS3(() => findBucket(this.client, this.bucket));
  }

  async close(): Promise<void> {
    this.client.destroy();
    this.publicClient.destroy();
  }
}
