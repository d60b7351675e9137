import { createHash } from 'node:crypto';
import type { UploadedPart } from './object-store.js';
import { InvalidPartsError } from './store-errors.js';

export const MAX_PARTS = 10_000;

/** @throws RangeError unless it is 1 to 10,000 */
export function assertPartNumber(partNumber: number): void {
  if (!isPartNumber(partNumber)) throw new RangeError(`Part numbers run from 1 to ${MAX_PARTS}.`);
}

function isPartNumber(partNumber: number): boolean {
  return Number.isInteger(partNumber) && partNumber >= 1 && partNumber <= MAX_PARTS;
}

export function unquoteEtag(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1');
}

/**
 * Requires whole, increasing part numbers, each with an etag. @returns the parts with bare etags
 * @throws InvalidPartsError at the first invalid part
 */
export function toValidatedParts(parts: UploadedPart[]): UploadedPart[] {
  if (parts.length === 0) throw new InvalidPartsError(0, 'upload', 'No parts were given.');
  let last = 0;
  return parts.map(({ partNumber, etag }, index) => {
    if (!isPartNumber(partNumber)) {
      throw new InvalidPartsError(index, 'part_number', `Part numbers run from 1 to ${MAX_PARTS}.`);
    }
    if (partNumber === last)
      throw new InvalidPartsError(index, 'part_number', `Part ${partNumber} is given twice.`);
    if (partNumber < last)
      throw new InvalidPartsError(index, 'part_number', `Part ${partNumber} is out of order.`);
    last = partNumber;
    return { partNumber, etag: unquoteEtag(etag) };
  });
}

export function createPartNotUploadedError(index: number, partNumber: number): InvalidPartsError {
  return new InvalidPartsError(index, 'part_number', `Part ${partNumber} was never uploaded.`);
}

export function createEtagMismatchError(index: number, partNumber: number): InvalidPartsError {
  return new InvalidPartsError(index, 'etag', `Part ${partNumber} was stored with another ETag.`);
}

/** @param given number of parts in the list */
export function createUploadedPartOmittedError(given: number, partNumber: number): InvalidPartsError {
  return new InvalidPartsError(given, 'upload', `Part ${partNumber} was uploaded and is not listed.`);
}

/**
 * Requires that the parts follow one another from 1, because a store would join those around a missing one.
 *
 * @param sizes bytes of each part, in the same order
 * @param partSize bytes of each part but the last; null for any numbers and sizes
 * @throws InvalidPartsError at the first part after a missing one, or of another size
 */
export function assertPartsFollowPlan(
  parts: readonly UploadedPart[],
  sizes: readonly number[],
  partSize: number | null,
): void {
  if (partSize === null) return;
  const missing = parts.findIndex(({ partNumber }, at) => partNumber !== at + 1);
  if (missing !== -1)
    throw new InvalidPartsError(
      missing,
      'upload',
      `Part ${missing + 1} is missing: PUT it, then list every part from 1.`,
    );
  const index = sizes.findIndex((size, at) => at < sizes.length - 1 && size !== partSize);
  if (index !== -1) throw partSizeError(parts, sizes, index, `must have ${partSize}`);
}

/**
 * Some stores accept small parts only as the last one and do not name the part: reports the smallest other
 * part.
 */
export function createPartTooSmallError(
  parts: readonly UploadedPart[],
  sizes: readonly number[],
): InvalidPartsError {
  const others = sizes.slice(0, -1);
  const index = others.indexOf(Math.min(...others));
  if (index === -1)
    return new InvalidPartsError(0, 'upload', 'A part other than the last is smaller than the store allows.');
  return partSizeError(parts, sizes, index, 'must be larger');
}

function partSizeError(
  parts: readonly UploadedPart[],
  sizes: readonly number[],
  index: number,
  rule: string,
): InvalidPartsError {
  const sentence = `Part ${parts[index]?.partNumber} has ${sizes[index]} bytes; every part but the last ${rule}.`;
  return new InvalidPartsError(index, 'part_number', `${sentence} PUT it again.`);
}

export function createUploadNotOpenError(): InvalidPartsError {
  return new InvalidPartsError(0, 'upload', 'The upload is no longer open.');
}

export function createUploadCompletedWithOtherPartsError(): InvalidPartsError {
  return new InvalidPartsError(0, 'upload', 'The upload was completed with other parts.');
}

/** Computed as S3 does with md5: the hash of the parts' hashes, and their number. */
export function computeMultipartEtag(algorithm: 'md5' | 'sha256', parts: UploadedPart[]): string {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(Buffer.from(part.etag, 'hex'));
  return `${hash.digest('hex')}-${parts.length}`;
}
