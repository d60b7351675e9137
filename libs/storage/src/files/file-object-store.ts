import { forEachConcurrently } from '@app/async';
import { access, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { assertDeletablePrefix, assertObjectKey, assertKeyPrefix } from '../object-key-validation.js';
import type {
  KeysAndPrefixesToDelete,
  ByteRange,
  FetchToFileOptions,
  ObjectInfo,
  ObjectStore,
  OpenMultipartUpload,
  PresignGetOptions,
  PresignPartOptions,
  PresignPutOptions,
  PutObjectOptions,
  UnreferencedDataDeletionResult,
  UnreferencedDataDeletionOptions,
  UploadedPart,
} from '../object-store.js';
import { assertPartNumber } from '../multipart-parts.js';
import { ObjectChangedError, ObjectNotFoundError, StoreUnavailableError } from '../store-errors.js';
import { createDirectoryDurably, singleChunkStream, writeAndHashNewFile } from './durable-writes.js';
import { linkOrCopyObjectToFile } from './link-or-copy-object-to-file.js';
import type { FileStoreOptions } from './file-store-options.js';
import { isDiskFullError, withMappedDiskErrors } from './fs-errors.js';
import { FileStoreLayout } from './file-store-layout.js';
import { listKeys, listObjects } from './listing.js';
import { FileStoreObjects } from './file-store-objects.js';
import { toObjectInfo } from './object-record.js';
import { ObjectUrlSigner } from './object-url-signer.js';
import { deleteStaleTemporaryFiles, deleteUnreferencedDataFiles } from './delete-leftover-files.js';
import { FileMultipartUploads } from './file-multipart-uploads.js';

/** Each occupies a thread of the process for a moment. */
const CONCURRENT_DELETIONS = 4;
const MAX_PUT_BYTES = 5 * 1024 ** 3;

/** Stores objects as files below one directory and serves them by signed URLs. */
export class FileObjectStore implements ObjectStore {
  readonly kind = 'files';
  readonly location: string;
  readonly signer: ObjectUrlSigner;
  private readonly layout: FileStoreLayout;
  private readonly objects: FileStoreObjects;
  private readonly uploads: FileMultipartUploads;
  private readonly onUnreadable: NonNullable<FileStoreOptions['onUnreadable']>;
  private readonly closing = new AbortController();

  private constructor(private readonly options: FileStoreOptions) {
    this.signer = new ObjectUrlSigner(options);
    this.location = options.root;
    this.layout = new FileStoreLayout(options.root);
    this.objects = new FileStoreObjects(this.layout);
    this.uploads = new FileMultipartUploads(this.layout, this.objects);
    this.onUnreadable = options.onUnreadable ?? (() => undefined);
  }

  /** If the directories cannot be created, every call fails until `provision` succeeds. */
  static async open(options: FileStoreOptions): Promise<FileObjectStore> {
    const store = new FileObjectStore(options);
    await store.provision().catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) throw error;
    });
    return store;
  }

  provision(): Promise<void> {
    const { objectsDirectory: objects, uploadsDirectory: uploads, temporaryDirectory: tmp } = this.layout;
    return withMappedDiskErrors(async () => {
      for (const path of [objects, uploads, tmp]) await createDirectoryDurably(path);
    });
  }

  /** Every write renews the time of a file, so only abandoned writes look old. */
  deleteStaleTemporaryFiles(idleSeconds: number): Promise<number> {
    return withMappedDiskErrors(() =>
      deleteStaleTemporaryFiles(this.layout, Date.now() - idleSeconds * 1000, this.closing.signal),
    );
  }

  deleteUnreferencedData(options: UnreferencedDataDeletionOptions): Promise<UnreferencedDataDeletionResult> {
    return withMappedDiskErrors(() => deleteUnreferencedDataFiles(this.layout, options, this.closing.signal));
  }

  async presignPut({ key, contentType, expiresIn, maxBytes }: PresignPutOptions): Promise<string> {
    assertObjectKey(key);
    return this.signer.sign(
      { method: 'PUT', key, contentType, maxBytes: this.limitBytes(maxBytes) },
      expiresIn,
    );
  }

  async presignGet({ key, expiresIn, filename }: PresignGetOptions): Promise<string> {
    assertObjectKey(key);
    return this.signer.sign({ method: 'GET', key, filename }, expiresIn);
  }

  async presignPart({ key, uploadId, partNumber, expiresIn, maxBytes }: PresignPartOptions): Promise<string> {
    assertObjectKey(key);
    assertPartNumber(partNumber);
    const grant = { method: 'PUT' as const, key, uploadId, partNumber, maxBytes: this.limitBytes(maxBytes) };
    return this.signer.sign(grant, expiresIn);
  }

  private limitBytes(maxBytes = Infinity): number {
    return Math.min(maxBytes, this.options.maxPutBytes ?? MAX_PUT_BYTES);
  }

  head(key: string): Promise<ObjectInfo | null> {
    assertObjectKey(key);
    return withMappedDiskErrors(async () => {
      const record = await this.objects.read(key);
      return record && toObjectInfo(record);
    });
  }

  async put(
    key: string,
    body: Readable | Buffer,
    contentType: string,
    options?: PutObjectOptions,
  ): Promise<ObjectInfo> {
    if (Buffer.isBuffer(body)) return this.putStream(key, singleChunkStream(body), contentType, options);
    try {
      return await this.putStream(key, body, contentType, options);
    } finally {
      body.destroy();
    }
  }

  /** As `put`; an error of the stream is rethrown unchanged. */
  async putStream(
    key: string,
    body: AsyncIterable<Uint8Array>,
    contentType: string,
    { isDurable = true }: PutObjectOptions = {},
  ): Promise<ObjectInfo> {
    assertObjectKey(key);
    return withMappedDiskErrors(async () => {
      const staged = await this.objects.stage(body, contentType, isDurable);
      return toObjectInfo(await this.discardOnFailure(staged.path, () => this.objects.commit(key, staged)));
    });
  }

  putIfAbsent(key: string, body: Buffer, contentType: string): Promise<boolean> {
    assertObjectKey(key);
    return withMappedDiskErrors(async () => {
      const staged = await this.objects.stage(singleChunkStream(body), contentType);
      return this.discardOnFailure(staged.path, () => this.objects.commitIfAbsent(key, staged));
    });
  }

  private async discardOnFailure<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const opened = await this.openObject(key, () => range);
    if (opened === null) throw new ObjectNotFoundError(key);
    return opened.bytes;
  }

  /**
   * Opens metadata and bytes of the same version.
   * @param selectRange selects the range of bytes from the metadata; undefined means all
   */
  async openObject(
    key: string,
    selectRange: (info: ObjectInfo) => ByteRange | undefined,
  ): Promise<{ info: ObjectInfo; bytes: Readable } | null> {
    assertObjectKey(key);
    return withMappedDiskErrors(async () => {
      const opened = await this.objects.open(key, (record) => selectRange(toObjectInfo(record)));
      return opened && { info: toObjectInfo(opened.record), bytes: opened.bytes };
    });
  }

  async fetchToFile(key: string, path: string, options: FetchToFileOptions = {}): Promise<void> {
    const { ifEtag } = options;
    assertObjectKey(key);
    const copy = () =>
      this.objects.withCurrentRecord(key, async (record) => {
        if (ifEtag !== undefined && record.etag !== ifEtag) throw new ObjectChangedError(key);
        return linkOrCopyObjectToFile(path, this.layout.directoryPath(key), record, options);
      });
    // The store is only read, so a full disk is that of the local file.
    const found = await withMappedDiskErrors(copy, isDiskFullError);
    if (found?.result === true) return;
    // A missing local directory is not a missing object.
    await access(dirname(path));
    throw new ObjectNotFoundError(key);
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    await withMappedDiskErrors(() => this.objects.removeWithAllData(key));
  }

  async deletePrefix(prefix: string): Promise<void> {
    assertDeletablePrefix(prefix);
    await withMappedDiskErrors(async () => {
      for await (const key of listKeys(this.layout, prefix)) await this.objects.removeWithCurrentData(key);
      await this.objects.removeUnreferencedData(prefix);
    });
  }

  async deleteAll({ keys, prefixes }: KeysAndPrefixesToDelete): Promise<void> {
    const deletions = [
      ...keys.map((key) => () => this.delete(key)),
      ...prefixes.map((prefix) => () => this.deletePrefix(prefix)),
    ];
    await forEachConcurrently(deletions, CONCURRENT_DELETIONS, (run) => run());
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncGenerator<ObjectInfo> {
    assertKeyPrefix(prefix);
    await this.objects.assertStoreDirectoryExists();
    for await (const info of listObjects(this.layout, prefix, this.onUnreadable)) {
      signal?.throwIfAborted();
      yield info;
    }
  }

  async createMultipart(key: string, contentType: string): Promise<string> {
    assertObjectKey(key);
    return withMappedDiskErrors(() => this.uploads.create(key, contentType));
  }

  /**
   * @returns the etag of the part. @throws InvalidPartsError with field `upload` if the upload is not open
   */
  async putPart(
    key: string,
    uploadId: string,
    partNumber: number,
    body: AsyncIterable<Uint8Array>,
  ): Promise<string> {
    assertObjectKey(key);
    return withMappedDiskErrors(async () => {
      await this.objects.assertStoreDirectoryExists();
      await this.uploads.assertOpen(key, uploadId);
      const written = await writeAndHashNewFile(this.layout.newTemporaryPath(), body);
      await this.discardOnFailure(written.path, () => this.uploads.addPart(uploadId, partNumber, written));
      return written.sha256;
    });
  }

  async completeMultipart(
    key: string,
    uploadId: string,
    parts: UploadedPart[],
    partSize: number | null = null,
  ): Promise<ObjectInfo> {
    assertObjectKey(key);
    return withMappedDiskErrors(async () => {
      await this.objects.assertStoreDirectoryExists();
      return toObjectInfo(await this.uploads.complete(key, uploadId, parts, partSize));
    });
  }

  async abortMultipart(key: string, uploadId: string): Promise<void> {
    assertObjectKey(key);
    await withMappedDiskErrors(() => this.uploads.abort(key, uploadId));
  }

  async *listUploads(prefix: string, signal?: AbortSignal): AsyncGenerator<OpenMultipartUpload> {
    assertKeyPrefix(prefix);
    await this.objects.assertStoreDirectoryExists();
    for await (const upload of this.uploads.list(this.onUnreadable)) {
      signal?.throwIfAborted();
      if (upload.key.startsWith(prefix)) yield upload;
    }
  }

  /** Writes a few bytes, because a full or read-only disk still answers reads. */
  async ping(): Promise<void> {
    await withMappedDiskErrors(async () => {
      const { path } = await writeAndHashNewFile(
        this.layout.newTemporaryPath(),
        singleChunkStream(Buffer.alloc(4096, 1)),
      );
      await rm(path, { force: true });
    });
  }

  async close(): Promise<void> {
    this.closing.abort();
  }
}
