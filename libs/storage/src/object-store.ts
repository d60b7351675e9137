import type { Readable } from 'node:stream';

/** What the store knows of one object. `etag` changes whenever the bytes do. */
export interface ObjectInfo {
  key: string;
  /** Bytes. */
  size: number;
  /** Without quotes, as both adapters report it. */
  etag: string;
  contentType: string;
  modifiedAt: Date;
}

/** One line of a listing; S3 tells no content type there. */
export type ListedObject = Omit<ObjectInfo, 'contentType'>;

export interface PresignPut {
  key: string;
  /** The signature covers it: a PUT with another Content-Type is refused. */
  contentType: string;
  /** Seconds. */
  expiresIn: number;
  /** Bytes. Enforced by the address where the adapter can (files), judged at complete where it cannot (S3). */
  maxBytes?: number;
}

export interface PresignGet {
  key: string;
  /** Seconds. */
  expiresIn: number;
  /** Suggested file name; sent back as Content-Disposition. */
  filename?: string;
}

export interface PresignPart {
  key: string;
  uploadId: string;
  /** 1 to 10,000. */
  partNumber: number;
  /** Seconds. */
  expiresIn: number;
  /** Bytes, as in `PresignPut`. */
  maxBytes?: number;
}

export interface UploadedPart {
  partNumber: number;
  /** As the PUT of the part answered it; quotes are tolerated. */
  etag: string;
}

/** A multipart upload that was neither completed nor aborted. */
export interface OpenMultipartUpload {
  key: string;
  uploadId: string;
  /** Changes whenever a part arrives. */
  partsVersion: string;
}

export interface FetchToFileOptions {
  /** Refuse with `ObjectChangedError` when the bytes are no longer those. */
  ifEtag?: string;
  /** Ends the fetch with its reason when it is aborted, however far that is. */
  signal?: AbortSignal;
}

export interface UnreferencedSweepOptions {
  /** Data that changed less than so many days ago stays. */
  minAgeDays: number;
  /** How much may be removed where so much was examined; where more is found, all of it stays. */
  maxRemovals: (examined: number) => number;
}

export interface UnreferencedSweepResult {
  examined: number;
  found: number;
  removed: number;
}

export interface ByteRange {
  start: number;
  /** Inclusive, as in HTTP. */
  end?: number;
}

/**
 * Where bytes live. Two adapters: files on disk behind HMAC-signed addresses, and S3.
 * Keys are relative and `/`-separated; segments are 1 to 100 of `A-Z a-z 0-9 . _ - =`, never `.` or `..`;
 * 512 characters in all. Any other key is `InvalidObjectKeyError`, by both adapters.
 * A missing object is `null` from `head` and `ObjectNotFoundError` from `get` and `fetchToFile`.
 * A store that cannot be reached or has no room left throws `StoreUnavailableError`.
 */
export interface ObjectStore {
  readonly kind: 'files' | 's3';

  presignPut(request: PresignPut): Promise<string>;
  presignGet(request: PresignGet): Promise<string>;

  head(key: string): Promise<ObjectInfo | null>;
  /** Whole object or nothing: a body that ends in an error leaves no object behind. */
  put(key: string, body: Readable | Buffer, contentType: string): Promise<ObjectInfo>;
  /**
   * A small object, unless there is one of this key: of any number of callers at once, one makes it. Their bodies have to
   * differ, for that is how each of them knows its own.
   * @returns whether this call made it
   */
  putIfAbsent(key: string, body: Buffer, contentType: string): Promise<boolean>;
  /**
   * Always the bytes of one version, whatever is put meanwhile. The caller reads it to the end or destroys it.
   * @throws RangeNotSatisfiableError when the range begins at or after the end of the object.
   */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /**
   * Brings the object to a local file, replacing what was there; a failure leaves `path` as it was. What the disk of
   * `path` says, full as it may be, comes out as it is.
   * It may share its bytes with the store (a hard link): read it, remove it, never write to it.
   */
  fetchToFile(key: string, path: string, options?: FetchToFileOptions): Promise<void>;
  /** Removing what is not there is no error; repeating a deletion that was cut off ends it. */
  delete(key: string): Promise<void>;
  /** The empty prefix is `InvalidObjectKeyError`: nobody means the whole store. */
  deletePrefix(prefix: string): Promise<void>;
  /**
   * Every object under the prefix, in key order (by byte); not those of which the store cannot tell anything any more.
   * @throws the reason of `signal` when it is aborted, wherever the listing is.
   */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<ListedObject>;

  createMultipart(key: string, contentType: string): Promise<string>;
  presignPart(request: PresignPart): Promise<string>;
  /**
   * Repeating a completion that succeeded answers the same object again.
   * @param partSize bytes that each part but the last must have; null where no size was planned
   * @throws InvalidPartsError naming the first part that is missing, repeated, out of order, of another etag or size.
   */
  completeMultipart(
    key: string,
    uploadId: string,
    parts: UploadedPart[],
    partSize?: number | null,
  ): Promise<ObjectInfo>;
  /** Aborting what is gone is no error. */
  abortMultipart(key: string, uploadId: string): Promise<void>;

  /** Open uploads of keys under the prefix, in no order. @throws as `list` does. */
  listUploads(prefix: string, signal?: AbortSignal): AsyncIterable<OpenMultipartUpload>;

  /**
   * Removes what writes left that were cut off by a crash and have been quiet since; nothing that is under way.
   * @returns how much was removed.
   */
  sweep(idleSeconds: number): Promise<number>;
  /** Removes bytes that lie in the store and that no object of it refers to. Only the disk of a file store has such. */
  sweepUnreferenced(options: UnreferencedSweepOptions): Promise<UnreferencedSweepResult>;

  /** Makes the place where objects lie (the bucket, the directories) where it is missing and may be made. */
  provision(): Promise<void>;
  /** Resolves when the store answers, and makes nothing; throws `StoreUnavailableError` otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
