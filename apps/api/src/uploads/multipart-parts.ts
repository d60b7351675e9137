import { type InvalidField, createInvalidFieldsError, type ServiceError, isPrintableText } from '@app/errors';
import type { InvalidPartsError, UploadedPart } from '@app/storage';
import { assertValidItems } from '../validation/assert-valid-items.js';
import { MAX_PARTS } from './multipart-plan.js';

export const MAX_ETAG_LENGTH = 200;

/** A part as the caller reports it, with its index in the caller's list. */
export interface ReportedPart extends UploadedPart {
  index: number;
}

/**
 * Validates the parts and sorts them by number.
 * @throws ServiceError 422 naming `parts.0.etag`.
 */
export function parseReportedParts(items: readonly unknown[]): ReportedPart[] {
  assertValidItems('parts', items, validatePart);
  return (items as { part_number: number; etag: string }[])
    .map(({ part_number, etag }, index) => ({ partNumber: part_number, etag, index }))
    .sort((a, b) => a.partNumber - b.partNumber);
}

function validatePart(item: unknown): InvalidField[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return [{ field: '', message: 'must be an object of part_number and etag' }];
  const { part_number, etag } = item as Record<string, unknown>;
  const problems: InvalidField[] = [];
  if (!isPartNumber(part_number))
    problems.push({ field: 'part_number', message: `must be a whole number from 1 to ${MAX_PARTS}` });
  if (!isEtag(etag))
    problems.push({ field: 'etag', message: 'must be the ETag that the PUT of the part answered' });
  return problems;
}

function isPartNumber(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_PARTS;
}

function isEtag(value: unknown): boolean {
  return isPrintableText(value) && value !== '' && (value as string).length <= MAX_ETAG_LENGTH;
}

/** Maps an error of the store to the caller's list. */
export function toInvalidPartsServiceError(
  error: InvalidPartsError,
  parts: readonly ReportedPart[],
): ServiceError {
  const index = parts[error.index]?.index ?? error.index;
  const field = error.field === 'upload' ? 'parts' : `parts.${index}.${error.field}`;
  return createInvalidFieldsError([{ field, message: error.reason }], 'invalid_parts');
}
