import type { Readable } from 'node:stream';

/** `etag` changes whenever the bytes change. */
export interface ObjectInfo {
  key: string;
  /** Bytes. */
  size: number;
  /** Without quotes. */
  etag: string;
  contentType: string;
  modifiedAt: Date;
}

/** S3 lists no content type. */
export type ListedObject = Omit<ObjectInfo, 'contentType'>;

export interface PresignPutOptions {
  key: string;
  /** Signed: a PUT with another Content-Type is rejected. */
  contentType: string;
  /** Seconds. */
  expiresIn: number;
  /** Bytes. The file store enforces it in the URL; for S3 it is verified at completion. */
  maxBytes?: number;
}

export interface PresignGetOptions {
  key: string;
  /** Seconds. */
  expiresIn: number;
  /** Returned in Content-Disposition. */
  filename?: string;
}

export interface PresignPartOptions {
  key: string;
  uploadId: string;
  /** 1 to 10,000. */
  partNumber: number;
  /** Seconds. */
  expiresIn: number;
  /** Bytes, as in `PresignPutOptions`. */
  maxBytes?: number;
}

export interface PutObjectOptions {
  /**
   * False for what can be made again: a power failure may lose the object, which is missing then for
   * `fetchToFile`. S3 stores everything durably. Default true.
   */
  isDurable?: boolean;
}

export interface UploadedPart {
  partNumber: number;
  /** As returned by the PUT of the part; quotes are allowed. */
  etag: string;
}

/** Neither completed nor aborted. */
export interface OpenMultipartUpload {
  key: string;
  uploadId: string;
  /** Changes whenever a part arrives; empty before the first. S3 sends a request for it. */
  readPartsVersion: () => Promise<string>;
}

export interface FetchToFileOptions {
  /** Requires this etag, else `ObjectChangedError`. */
  ifEtag?: string;
  /** Aborts the fetch at any point with its reason. */
  signal?: AbortSignal;
  /** Called before bytes are written, which a hard link does without; the fetch fails with its error. */
  beforeCopy?: () => Promise<void>;
}

export interface UnreferencedDataDeletionOptions {
  minAgeDays: number;
  /** Maximum removals for a number of examined files; if more are due, none is removed. */
  maxRemovals: (examined: number) => number;
  /** Ends the walk, which takes hours in a large store; then nothing is removed. */
  stop?: AbortSignal;
}

export interface UnreferencedDataDeletionResult {
  examined: number;
  found: number;
  removed: number;
}

export interface KeysAndPrefixesToDelete {
  keys: readonly string[];
  /** Everything below each; as for `deletePrefix`. */
  prefixes: readonly string[];
}

export interface ByteRange {
  start: number;
  /** Inclusive, as in HTTP. */
  end?: number;
}

/**
 * Keys are relative and `/`-separated; segments are 1 to 100 of `A-Z a-z 0-9 . _ - =`, never `.` or `..`; at
 * most 512 characters in all. Other keys throw `InvalidObjectKeyError`. A missing object is `null` from
 * `head` and `ObjectNotFoundError` from `get` and `fetchToFile`. An unreachable or full store throws
 * `StoreUnavailableError`.
 */
export interface ObjectStore {
  readonly kind: 'files' | 's3';
  /** For operators: the folder, or bucket and server. Has no credentials. */
  readonly location: string;

  presignPut(request: PresignPutOptions): Promise<string>;
  presignGet(request: PresignGetOptions): Promise<string>;

  head(key: string): Promise<ObjectInfo | null>;
  /** A body that fails leaves no object. */
  put(
    key: string,
    body: Readable | Buffer,
    contentType: string,
    options?: PutObjectOptions,
  ): Promise<ObjectInfo>;
  /**
   * Of concurrent callers, one creates the object. Their bodies must differ, because S3 compares them to
   * decide.
   * @returns whether this call created it
   */
  putIfAbsent(key: string, body: Buffer, contentType: string): Promise<boolean>;
  /**
   * Reads one version, whatever is put meanwhile. The caller must end or destroy the stream.
   * @throws RangeNotSatisfiableError if the range begins at or after the end of the object
   */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /**
   * Replaces `path`, or leaves it unchanged on failure; errors of the local disk are rethrown unchanged. The
   * file may be a hard link to the stored bytes: read or remove it, never write to it.
   */
  fetchToFile(key: string, path: string, options?: FetchToFileOptions): Promise<void>;
  /** Idempotent; repeating an interrupted deletion completes it. */
  delete(key: string): Promise<void>;
  /** @throws InvalidObjectKeyError for the empty prefix, which would delete the whole store */
  deletePrefix(prefix: string): Promise<void>;
  /** Idempotent. Deletes several objects at once; after a failure, any of them may be left. */
  deleteAll(deletion: KeysAndPrefixesToDelete): Promise<void>;
  /** In key order (by byte), without objects whose metadata cannot be read. @throws the reason of `signal` */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<ListedObject>;

  createMultipart(key: string, contentType: string): Promise<string>;
  presignPart(request: PresignPartOptions): Promise<string>;
  /**
   * Repeating a completion returns the same object again.
   * @param partSize bytes of each part but the last; null if no size was planned
   * @throws InvalidPartsError naming the first part that is missing, repeated, out of order, or of another
   * etag or size
   */
  completeMultipart(
    key: string,
    uploadId: string,
    parts: UploadedPart[],
    partSize?: number | null,
  ): Promise<ObjectInfo>;
  /** Idempotent. */
  abortMultipart(key: string, uploadId: string): Promise<void>;

  /** Unordered. @throws the reason of `signal` */
  listUploads(prefix: string, signal?: AbortSignal): AsyncIterable<OpenMultipartUpload>;

  /** Deletes leftovers of interrupted writes that are as old. @returns the number deleted */
  deleteStaleTemporaryFiles(idleSeconds: number): Promise<number>;
  /** Deletes bytes without an object, which only the file store can have. */
  deleteUnreferencedData(options: UnreferencedDataDeletionOptions): Promise<UnreferencedDataDeletionResult>;

  /** Creates the bucket or the directories if they are missing and creation is permitted. */
  provision(): Promise<void>;
  /** Creates nothing. @throws StoreUnavailableError */
  ping(): Promise<void>;
  close(): Promise<void>;
}
