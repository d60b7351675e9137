import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { OpenMultipartUpload, UploadedPart } from '../object-store.js';
import {
  unquoteEtag,
  toValidatedParts,
  assertPartsFollowPlan,
  computeMultipartEtag,
  createUploadedPartOmittedError,
  createPartNotUploadedError,
  createEtagMismatchError,
  createPartTooSmallError,
  createUploadNotOpenError,
} from '../multipart-parts.js';
import { InvalidPartsError } from '../store-errors.js';
import { s3ErrorName } from './s3-errors.js';
import type { S3MissingObjectDetector } from './s3-missing-object-detector.js';

const MD5 = /^[\da-f]{32}$/i;
/** At the end of the etag of an object. */
const PART_COUNT = /-(\d+)$/;

interface StoredPart {
  etag: string;
  /** Bytes. */
  size: number;
}

export class S3MultipartUploads {
  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    private readonly missingObjects: S3MissingObjectDetector,
  ) {}

  async create(key: string, contentType: string): Promise<string> {
    const output = await this.client.send(
      new CreateMultipartUploadCommand({ Bucket: this.bucket, Key: key, ContentType: contentType }),
    );
    if (output.UploadId === undefined) throw new Error('The store opened an upload without an id.');
    return output.UploadId;
  }

  async complete(
    key: string,
    uploadId: string,
    given: UploadedPart[],
    partSize: number | null,
  ): Promise<void> {
    const parts = toValidatedParts(given);
    let sizes: number[] = [];
    try {
      sizes = await this.verifyParts(key, uploadId, parts);
      assertPartsFollowPlan(parts, sizes, partSize);
      await this.client.send(
        new CompleteMultipartUploadCommand({
          Bucket: this.bucket,
          Key: key,
          UploadId: uploadId,
          MultipartUpload: {
            Parts: parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: `"${etag}"` })),
          },
        }),
      );
    } catch (error) {
      if (s3ErrorName(error) === 'EntityTooSmall') throw createPartTooSmallError(parts, sizes);
      await this.resolveCompletionError(error, key, parts);
    }
  }

  /** Finds the invalid part, which the store does not report. @returns bytes of each part */
  private async verifyParts(key: string, uploadId: string, parts: UploadedPart[]): Promise<number[]> {
    const stored = await this.listStoredParts(key, uploadId);
    const sizes: number[] = [];
    for (const [index, { partNumber, etag }] of parts.entries()) {
      const found = stored.get(partNumber);
      if (found === undefined) throw createPartNotUploadedError(index, partNumber);
      if (found.etag !== etag) throw createEtagMismatchError(index, partNumber);
      sizes.push(found.size);
      stored.delete(partNumber);
    }
    const [unlisted] = stored.keys();
    if (unlisted !== undefined) throw createUploadedPartOmittedError(parts.length, unlisted);
    return sizes;
  }

  /** Replaces the SDK's paginator, which never ends if a store sends a marker with the last page. */
  private async listStoredParts(
    key: string,
    uploadId: string,
    abortSignal?: AbortSignal,
  ): Promise<Map<number, StoredPart>> {
    const stored = new Map<number, StoredPart>();
    let marker: string | undefined;
    for (let more = true; more;) {
      const page = await this.client.send(
        new ListPartsCommand({ Bucket: this.bucket, Key: key, UploadId: uploadId, PartNumberMarker: marker }),
        { abortSignal },
      );
      for (const { PartNumber, ETag, Size } of page.Parts ?? [])
        stored.set(PartNumber ?? 0, { etag: unquoteEtag(ETag ?? ''), size: Size ?? 0 });
      more = page.IsTruncated === true && page.NextPartNumberMarker !== marker;
      marker = page.NextPartNumberMarker;
    }
    return stored;
  }

  /** A missing upload may have been completed: then there is an object of these parts. */
  private async resolveCompletionError(error: unknown, key: string, parts: UploadedPart[]): Promise<void> {
    switch (s3ErrorName(error)) {
      case 'NoSuchUpload':
      case 'NoSuchKey':
        if (isAssembledFrom(await this.headEtag(key), parts)) return;
        throw createUploadNotOpenError();
      case 'InvalidPart':
      case 'InvalidPartOrder':
        throw new InvalidPartsError(0, 'upload', 'The parts do not make up the upload.');
      default:
        throw error;
    }
  }

  private async headEtag(key: string): Promise<string | null> {
    try {
      const output = await this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key }));
      return unquoteEtag(output.ETag ?? '');
    } catch (error) {
      if (await this.missingObjects.isObjectMissing(error)) return null;
      throw error;
    }
  }

  /** Replaces the SDK's paginator for the same reason. */
  async *list(prefix: string, abortSignal?: AbortSignal): AsyncGenerator<OpenMultipartUpload> {
    let from: { KeyMarker?: string; UploadIdMarker?: string } = {};
    for (let more = true; more;) {
      const page = await this.client.send(
        new ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: prefix, ...from }),
        { abortSignal },
      );
      for (const { Key: key, UploadId: uploadId } of page.Uploads ?? []) {
        abortSignal?.throwIfAborted();
        if (key !== undefined && uploadId !== undefined)
          yield { key, uploadId, readPartsVersion: () => this.readPartsVersion(key, uploadId, abortSignal) };
      }
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
      more =
        page.IsTruncated === true && (KeyMarker !== from.KeyMarker || UploadIdMarker !== from.UploadIdMarker);
      from = { ...(KeyMarker && { KeyMarker }), ...(UploadIdMarker && { UploadIdMarker }) };
    }
  }

  private async readPartsVersion(key: string, uploadId: string, abortSignal?: AbortSignal): Promise<string> {
    try {
      const stored = await this.listStoredParts(key, uploadId, abortSignal);
      return [...stored].map(([number, { etag }]) => `${number}:${etag}`).join();
    } catch (error) {
      if (s3ErrorName(error) === 'NoSuchUpload' || s3ErrorName(error) === 'NoSuchKey') return 'gone';
      throw error;
    }
  }

  async abort(key: string, uploadId: string): Promise<void> {
    try {
      await this.client.send(
        new AbortMultipartUploadCommand({ Bucket: this.bucket, Key: key, UploadId: uploadId }),
      );
    } catch (error) {
      if (s3ErrorName(error) !== 'NoSuchUpload' && s3ErrorName(error) !== 'NoSuchKey') throw error;
    }
  }
}

/**
 * Some stores, such as Cloudflare R2, give parts an etag that is no MD5, from which the etag of the object does not follow.
 * Then any object of the same number of parts counts: its key belongs to one upload.
 * @param etag of the object; null if there is none
 */
function isAssembledFrom(etag: string | null, parts: UploadedPart[]): boolean {
  if (etag === null) return false;
  if (parts.every((part) => MD5.test(part.etag))) return etag === computeMultipartEtag('md5', parts);
  const count = PART_COUNT.exec(etag)?.[1];
  return count === undefined || Number(count) === parts.length;
}
