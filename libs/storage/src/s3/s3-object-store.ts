import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { forEachConcurrently } from '@app/async';
import { assertDeletablePrefix, assertObjectKey, assertKeyPrefix } from '../object-key-validation.js';
import type {
  KeysAndPrefixesToDelete,
  ByteRange,
  FetchToFileOptions,
  ListedObject,
  ObjectInfo,
  ObjectStore,
  OpenMultipartUpload,
  PresignGetOptions,
  PresignPartOptions,
  PresignPutOptions,
  UnreferencedDataDeletionResult,
  UploadedPart,
} from '../object-store.js';
import { unquoteEtag } from '../multipart-parts.js';
import { ObjectChangedError, ObjectNotFoundError, RangeNotSatisfiableError } from '../store-errors.js';
import { createBucketIfMissing, assertBucketExists } from './s3-bucket.js';
import { createMissingBucketRules } from './s3-bucket-rules.js';
import { createS3Client, createS3DownloadClient, resolveS3IdleTimeoutMs } from './s3-client.js';
import { S3Download, writeDownloadToFile } from './s3-download.js';
import { withMappedS3Errors, s3HttpStatus } from './s3-errors.js';
import { S3MissingObjectDetector } from './s3-missing-object-detector.js';
import { S3MultipartUploads } from './s3-multipart.js';
import { deleteObjectsByKey } from './s3-delete-objects.js';
import { S3Presigner } from './s3-presigner.js';
import { putIfAbsent } from './s3-put-if-absent.js';
import { describeS3Location, type S3StoreOptions } from './s3-store-options.js';
import { uploadBody } from './s3-upload.js';

const CONCURRENT_LISTINGS = 8;

/** Sends no request before the first call. */
export class S3ObjectStore implements ObjectStore {
  readonly kind = 's3';
  readonly location: string;
  private readonly bucket: string;
  private readonly client: S3Client;
  /** Of its own: requests of a client share their retries, and bodies would use up those of all others. */
  private readonly uploadClient: S3Client;
  private readonly downloadClient: S3Client;
  private readonly publicClient: S3Client;
  private readonly presigner: S3Presigner;
  private readonly missingObjects: S3MissingObjectDetector;
  private readonly multipart: S3MultipartUploads;
  /** Or lacks those that the server refuses: asked once. */
  private hasRules = false;

  constructor(private readonly options: S3StoreOptions) {
    this.bucket = options.bucket;
    this.location = describeS3Location(options);
    this.client = createS3Client(options, options.endpoint);
    this.uploadClient = createS3Client(options, options.endpoint);
    this.downloadClient = createS3DownloadClient(options);
    this.publicClient = createS3Client(options, options.publicEndpoint ?? options.endpoint);
    this.presigner = new S3Presigner(this.publicClient, options.bucket);
    this.missingObjects = new S3MissingObjectDetector(this.client, options.bucket);
    this.multipart = new S3MultipartUploads(this.client, options.bucket, this.missingObjects);
  }

  async presignPut(request: PresignPutOptions): Promise<string> {
    assertObjectKey(request.key);
    return withMappedS3Errors(() => this.presigner.put(request));
  }

  async presignGet(request: PresignGetOptions): Promise<string> {
    assertObjectKey(request.key);
    return withMappedS3Errors(() => this.presigner.get(request));
  }

  async presignPart(request: PresignPartOptions): Promise<string> {
    assertObjectKey(request.key);
    return withMappedS3Errors(() => this.presigner.part(request));
  }

  async head(key: string): Promise<ObjectInfo | null> {
    assertObjectKey(key);
    return withMappedS3Errors(async () => {
      try {
        const output = await this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key }));
        return {
          key,
          size: output.ContentLength ?? 0,
          etag: unquoteEtag(output.ETag ?? ''),
          contentType: output.ContentType ?? 'application/octet-stream',
          modifiedAt: output.LastModified ?? new Date(0),
        };
      } catch (error) {
        if (await this.missingObjects.isObjectMissing(error)) return null;
        throw error;
      }
    });
  }

  async put(key: string, body: Readable | Buffer, contentType: string): Promise<ObjectInfo> {
    assertObjectKey(key);
    const sent = await uploadBody(this.uploadClient, { bucket: this.bucket, key, contentType }, body);
    // Some stores do not return the etag of a multipart object.
    if (sent.etag === '') return this.headExisting(key);
    return { key, ...sent, contentType, modifiedAt: new Date() };
  }

  async putIfAbsent(key: string, body: Buffer, contentType: string): Promise<boolean> {
    assertObjectKey(key);
    return withMappedS3Errors(() =>
      putIfAbsent(
        { client: this.client, missingObjects: this.missingObjects },
        { Bucket: this.bucket, Key: key },
        body,
        contentType,
      ),
    );
  }

  get(key: string, range?: ByteRange): Promise<Readable> {
    return this.open(key, range);
  }

  private async open(
    key: string,
    range?: ByteRange,
    { ifEtag, signal }: FetchToFileOptions = {},
  ): Promise<Readable> {
    assertObjectKey(key);
    const command = new GetObjectCommand({
      Bucket: this.bucket,
      Key: key,
      Range: range && `bytes=${range.start}-${range.end ?? ''}`,
      IfMatch: ifEtag && `"${ifEtag}"`,
    });
    return withMappedS3Errors(async () => {
      try {
        const { Body } = await this.downloadClient.send(command, { abortSignal: signal });
        if (!(Body instanceof Readable)) return Readable.from([]);
        return new S3Download(Body, { idleTimeoutMs: resolveS3IdleTimeoutMs(this.options), signal });
      } catch (error) {
        if (await this.missingObjects.isObjectMissing(error)) throw new ObjectNotFoundError(key);
        if (s3HttpStatus(error) === 412) throw new ObjectChangedError(key);
        if (s3HttpStatus(error) === 416) throw new RangeNotSatisfiableError(key, null);
        throw error;
      }
    }, signal);
  }

  async fetchToFile(key: string, path: string, options: FetchToFileOptions = {}): Promise<void> {
    await options.beforeCopy?.();
    await writeDownloadToFile(await this.open(key, undefined, options), path, options.signal);
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    await withMappedS3Errors(() =>
      this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key })),
    );
  }

  async deletePrefix(prefix: string): Promise<void> {
    assertDeletablePrefix(prefix);
    await withMappedS3Errors(async () => {
      for await (const keys of this.listKeyPages(prefix))
        await deleteObjectsByKey(this.client, this.bucket, keys);
    });
  }

  async deleteAll({ keys, prefixes }: KeysAndPrefixesToDelete): Promise<void> {
    for (const key of keys) assertObjectKey(key);
    for (const prefix of prefixes) assertDeletablePrefix(prefix);
    await withMappedS3Errors(async () => {
      const found = [...keys];
      await forEachConcurrently(prefixes, CONCURRENT_LISTINGS, async (prefix) => {
        for await (const page of this.listKeyPages(prefix)) found.push(...page);
      });
      await deleteObjectsByKey(this.client, this.bucket, found);
    });
  }

  private async *listKeyPages(prefix: string): AsyncGenerator<string[]> {
    for await (const { Contents = [] } of this.listPages(prefix))
      yield Contents.flatMap(({ Key }) => Key ?? []);
  }

  private listPages(prefix: string, signal?: AbortSignal) {
    const input = { Bucket: this.bucket, Prefix: prefix };
    return paginateListObjectsV2({ client: this.client }, input, { abortSignal: signal });
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncGenerator<ListedObject> {
    assertKeyPrefix(prefix);
    const pages = this.listPages(prefix, signal);
    for (;;) {
      const { value: page, done } = await withMappedS3Errors(() => pages.next(), signal);
      if (done || page === undefined) return;
      for (const { Key, Size, ETag, LastModified } of page.Contents ?? []) {
        signal?.throwIfAborted();
        if (Key === undefined) continue;
        yield {
          key: Key,
          size: Size ?? 0,
          etag: unquoteEtag(ETag ?? ''),
          modifiedAt: LastModified ?? new Date(0),
        };
      }
    }
  }

  async createMultipart(key: string, contentType: string): Promise<string> {
    assertObjectKey(key);
    return withMappedS3Errors(() => this.multipart.create(key, contentType));
  }

  async completeMultipart(
    key: string,
    uploadId: string,
    parts: UploadedPart[],
    partSize: number | null = null,
  ): Promise<ObjectInfo> {
    assertObjectKey(key);
    await withMappedS3Errors(() => this.multipart.complete(key, uploadId, parts, partSize));
    return this.headExisting(key);
  }

  private async headExisting(key: string): Promise<ObjectInfo> {
    const info = await this.head(key);
    if (info === null) throw new ObjectNotFoundError(key);
    return info;
  }

  async abortMultipart(key: string, uploadId: string): Promise<void> {
    assertObjectKey(key);
    await withMappedS3Errors(() => this.multipart.abort(key, uploadId));
  }

  async *listUploads(prefix: string, signal?: AbortSignal): AsyncGenerator<OpenMultipartUpload> {
    assertKeyPrefix(prefix);
    const uploads = this.multipart.list(prefix, signal);
    for (;;) {
      const { value, done } = await withMappedS3Errors(() => uploads.next(), signal);
      if (done) return;
      yield value;
    }
  }

  /** S3 keeps nothing of an interrupted write but open uploads. */
  deleteStaleTemporaryFiles(): Promise<number> {
    return Promise.resolve(0);
  }

  deleteUnreferencedData(): Promise<UnreferencedDataDeletionResult> {
    return Promise.resolve({ examined: 0, found: 0, removed: 0 });
  }

  async provision(): Promise<void> {
    const isNew = await withMappedS3Errors(() => createBucketIfMissing(this.client, this.options));
    if (this.hasRules || this.options.createBucket === false) return;
    await createMissingBucketRules(this.client, this.options, isNew);
    this.hasRules = true;
  }

  async ping(): Promise<void> {
    await withMappedS3Errors(() => assertBucketExists(this.client, this.bucket));
  }

  async close(): Promise<void> {
    this.client.destroy();
    this.uploadClient.destroy();
    this.downloadClient.destroy();
    this.publicClient.destroy();
  }
}
