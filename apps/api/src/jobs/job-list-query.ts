import { type FieldError, ServiceError } from '@app/errors';
import { readIsoMoment } from './iso-moment.js';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;

export interface JobListQuery {
  limit: number;
  /** Microseconds since 1970, exclusive. */
  before: bigint | null;
}

/** @throws ServiceError 400 naming `limit`, `before` or both. A parameter given twice is out of form. */
export function readJobListQuery(query: { limit?: unknown; before?: unknown }): JobListQuery {
  const limit = readLimit(query.limit);
  const before = readBefore(query.before);
  const errors: FieldError[] = [];
  if (limit === null)
    errors.push({ field: 'limit', message: `must be a whole number from 1 to ${MAX_PAGE_SIZE}` });
  if (before === undefined) errors.push({ field: 'before', message: 'must be an ISO 8601 timestamp' });
  if (limit !== null && before !== undefined) return { limit, before };
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new ServiceError('query_invalid', { detail, errors });
}

function readLimit(value: unknown): number | null {
  if (value === undefined) return DEFAULT_PAGE_SIZE;
  if (typeof value !== 'string' || !/^[1-9]\d{0,2}$/.test(value)) return null;
  return Number(value) <= MAX_PAGE_SIZE ? Number(value) : null;
}

/** @returns undefined when it is out of form. */
function readBefore(value: unknown): bigint | null | undefined {
  if (value === undefined) return null;
  return typeof value === 'string' ? (readIsoMoment(value) ?? undefined) : undefined;
}
