import { access, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { checkDeletablePrefix, checkKey, checkPrefix } from '../keys.js';
import type {
  ByteRange,
  FetchOptions,
  ObjectInfo,
  ObjectStore,
  OpenUpload,
  PresignGet,
  PresignPart,
  PresignPut,
  UnreferencedSweep,
  UnreferencedSweepOptions,
  UploadedPart,
} from '../object-store.js';
import { checkPartNumber } from '../parts.js';
import { ObjectChanged, ObjectMissing, StoreUnavailable } from '../store-errors.js';
import { makeDirectory, oneChunk, writeDurably } from './durable.js';
import { bringTo } from './fetch-to-file.js';
import type { FileStoreOptions } from './file-store-options.js';
import { isFull, onDisk } from './fs-errors.js';
import { Layout, newId } from './layout.js';
import { listKeys, listObjects } from './listing.js';
import { ObjectFiles, type StagedData } from './object-files.js';
import { toInfo } from './object-record.js';
import { AddressSigner } from './signing.js';
import { sweepTemporary, sweepUnreferenced } from './sweep.js';
import { Uploads } from './uploads.js';

const MAX_PUT_BYTES = 5 * 1024 ** 3;

/** Objects as files under one directory, reached from outside by signed addresses. Made with `open`. */
export class FileObjectStore implements ObjectStore {
  readonly kind = 'files';
  readonly signer: AddressSigner;
  private readonly layout: Layout;
  private readonly objects: ObjectFiles;
  private readonly uploads: Uploads;
  private readonly onUnreadable: NonNullable<FileStoreOptions['onUnreadable']>;
  private readonly closing = new AbortController();

  private constructor(private readonly options: FileStoreOptions) {
    this.signer = new AddressSigner(options);
    this.layout = new Layout(options.root);
    this.objects = new ObjectFiles(this.layout);
    this.uploads = new Uploads(this.layout, this.objects);
    this.onUnreadable = options.onUnreadable ?? (() => undefined);
  }

  /** Makes the directories where the disk allows it; where it does not, every call says so until `provision` succeeds. */
  static async open(options: FileStoreOptions): Promise<FileObjectStore> {
    const store = new FileObjectStore(options);
    await store.provision().catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error;
    });
    return store;
  }

  provision(): Promise<void> {
    const { objects, uploads, tmp } = this.layout;
    return onDisk(async () => {
      for (const path of [objects, uploads, tmp]) await makeDirectory(path);
    });
  }

  /** What is being written is renewed by every chunk, so that only what is quiet looks old. */
  sweep(quietSeconds: number): Promise<number> {
    return onDisk(() => sweepTemporary(this.layout, Date.now() - quietSeconds * 1000, this.closing.signal));
  }

  sweepUnreferenced(options: UnreferencedSweepOptions): Promise<UnreferencedSweep> {
    return onDisk(() => sweepUnreferenced(this.layout, options, this.closing.signal));
  }

  async presignPut({ key, contentType, expiresIn, maxBytes }: PresignPut): Promise<string> {
    checkKey(key);
    return this.signer.address(
      { method: 'PUT', key, contentType, maxBytes: this.limit(maxBytes) },
      expiresIn,
    );
  }

  async presignGet({ key, expiresIn, filename }: PresignGet): Promise<string> {
    checkKey(key);
    return this.signer.address({ method: 'GET', key, filename }, expiresIn);
  }

  async presignPart({ key, uploadId, partNumber, expiresIn, maxBytes }: PresignPart): Promise<string> {
    checkKey(key);
    checkPartNumber(partNumber);
    const grant = { method: 'PUT' as const, key, uploadId, partNumber, maxBytes: this.limit(maxBytes) };
    return this.signer.address(grant, expiresIn);
  }

  private limit(maxBytes = Infinity): number {
    return Math.min(maxBytes, this.options.maxPutBytes ?? MAX_PUT_BYTES);
  }

  head(key: string): Promise<ObjectInfo | null> {
    checkKey(key);
    return onDisk(async () => {
      const record = await this.objects.read(key);
      return record && toInfo(record);
    });
  }

  async put(key: string, body: Readable | Buffer, contentType: string): Promise<ObjectInfo> {
    if (Buffer.isBuffer(body)) return this.putStream(key, oneChunk(body), contentType);
    try {
      return await this.putStream(key, body, contentType);
    } finally {
      body.destroy();
    }
  }

  /** As `put`, from any stream of bytes; an error of the stream comes out as it is. */
  async putStream(key: string, body: AsyncIterable<Uint8Array>, contentType: string): Promise<ObjectInfo> {
    checkKey(key);
    return onDisk(async () => {
      const staged = await this.stage(body, contentType);
      return toInfo(await this.discardOnFailure(staged.path, () => this.objects.commit(key, staged)));
    });
  }

  putIfAbsent(key: string, body: Buffer, contentType: string): Promise<boolean> {
    checkKey(key);
    return onDisk(async () => {
      const staged = await this.stage(oneChunk(body), contentType);
      return this.discardOnFailure(staged.path, () => this.objects.commitIfAbsent(key, staged));
    });
  }

  private async stage(body: AsyncIterable<Uint8Array>, contentType: string): Promise<StagedData> {
    await this.objects.assertPresent();
    const { path, size, sha256 } = await writeDurably(this.layout.temporary(), body);
    return { path, id: newId(), pieces: [{ name: null, size }], etag: sha256, contentType };
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
    if (opened === null) throw new ObjectMissing(key);
    return opened.bytes;
  }

  /**
   * What is known of an object together with its bytes, both of one version.
   * @param choose says from the former which bytes are wanted; undefined means all.
   */
  async openObject(
    key: string,
    choose: (info: ObjectInfo) => ByteRange | undefined,
  ): Promise<{ info: ObjectInfo; bytes: Readable } | null> {
    checkKey(key);
    return onDisk(async () => {
      const opened = await this.objects.open(key, (record) => choose(toInfo(record)));
      return opened && { info: toInfo(opened.record), bytes: opened.bytes };
    });
  }

  async fetchToFile(key: string, path: string, { ifEtag, signal }: FetchOptions = {}): Promise<void> {
    checkKey(key);
    // Told apart from a missing object here.
    await access(dirname(path));
    const bringing = () =>
      this.objects.withRecord(key, async (record) => {
        if (ifEtag !== undefined && record.etag !== ifEtag) throw new ObjectChanged(key);
        await bringTo(path, this.layout.directory(key), record, signal);
      });
    // The store only reads here: what is full is the disk of the file.
    const found = await onDisk(bringing, isFull);
    if (found === null) throw new ObjectMissing(key);
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    await onDisk(() => this.objects.remove(key));
  }

  async deletePrefix(prefix: string): Promise<void> {
    checkDeletablePrefix(prefix);
    await onDisk(async () => {
      for await (const key of listKeys(this.layout.objects, prefix)) await this.objects.removeReferenced(key);
      await this.objects.removeUnreferenced(prefix);
    });
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncGenerator<ObjectInfo> {
    checkPrefix(prefix);
    await this.objects.assertPresent();
    for await (const info of listObjects(this.layout, prefix, this.onUnreadable)) {
      signal?.throwIfAborted();
      yield info;
    }
  }

  async createMultipart(key: string, contentType: string): Promise<string> {
    checkKey(key);
    return onDisk(() => this.uploads.create(key, contentType));
  }

  /** @returns the etag of the part. @throws PartsRejected with field `upload` when the upload is not open. */
  async putPart(
    key: string,
    uploadId: string,
    partNumber: number,
    body: AsyncIterable<Uint8Array>,
  ): Promise<string> {
    checkKey(key);
    return onDisk(async () => {
      await this.objects.assertPresent();
      await this.uploads.assertOpen(key, uploadId);
      const written = await writeDurably(this.layout.temporary(), body);
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
    checkKey(key);
    return onDisk(async () => {
      await this.objects.assertPresent();
      return toInfo(await this.uploads.complete(key, uploadId, parts, partSize));
    });
  }

  async abortMultipart(key: string, uploadId: string): Promise<void> {
    checkKey(key);
    await onDisk(() => this.uploads.abort(key, uploadId));
  }

  async *listUploads(prefix: string, signal?: AbortSignal): AsyncGenerator<OpenUpload> {
    checkPrefix(prefix);
    await this.objects.assertPresent();
    for await (const upload of this.uploads.list(this.onUnreadable)) {
      signal?.throwIfAborted();
      if (upload.key.startsWith(prefix)) yield upload;
    }
  }

  /** Writes a few bytes: a disk that is full or read-only answers every question but this one. */
  async ping(): Promise<void> {
    await onDisk(async () => {
      const { path } = await writeDurably(this.layout.temporary(), oneChunk(Buffer.alloc(4096, 1)));
      await rm(path, { force: true });
    });
  }

  /** A sweep under way ends at what it is looking at. */
  async close(): Promise<void> {
    this.closing.abort();
  }
}
