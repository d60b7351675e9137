import { type FieldError, ServiceError } from '@app/errors';
import type { JobFilter, JobMetadata } from '@app/jobs';
import { findUnknownParameters } from '../validation/find-unknown-parameters.js';
import { parseIsoTimestamp } from './parse-iso-timestamp.js';
import { JOB_STATUSES } from './job-fields.openapi.js';
import { EXTRA_FIELD_NAMES, type ExtraField } from './job-list.dto.js';
import { isMetadataParameter, validateMetadata, parseMetadataParameters } from './job-metadata.js';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;
const QUERY_PARAMETERS = ['limit', 'before', 'status', 'fields'];
/** Fields of every row. */
const DEFAULT_FIELDS = ['job_id', 'created_at'];

export interface JobListQuery extends JobFilter {
  limit: number;
  /** Microseconds since 1970, exclusive. */
  before: bigint | null;
  /** Row fields besides id and creation time. */
  fields: ExtraField[];
}

type ParseResult<T> = { value: T } | { message: string };

/**
 * @throws ServiceError 400 naming every invalid, duplicate or unknown parameter
 */
export function parseJobListQuery(query: Readonly<Record<string, unknown>>): JobListQuery {
  const errors: FieldError[] = findUnknownParameters(query, QUERY_PARAMETERS, isMetadataParameter);
  const parseParameter = <T>(field: string, parse: (text: string) => ParseResult<T>, defaultValue: T): T => {
    const given = query[field];
    if (given === undefined) return defaultValue;
    const result = typeof given === 'string' ? parse(given) : { message: 'must be given once' };
    if ('value' in result) return result.value;
    errors.push({ field, message: result.message });
    return defaultValue;
  };
  const read: JobListQuery = {
    limit: parseParameter('limit', parseLimit, DEFAULT_PAGE_SIZE),
    before: parseParameter<bigint | null>('before', parseBefore, null),
    status: parseParameter<JobFilter['status']>('status', parseStatus, null),
    fields: parseParameter<ExtraField[]>('fields', parseFields, []),
    metadata: null,
  };
  const metadata = parseMetadataParameters(query) ?? null;
  errors.push(...validateMetadata(metadata));
  if (errors.length === 0) return { ...read, metadata: metadata as JobMetadata | null };
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new ServiceError('invalid_parameter', { detail, errors });
}

function parseLimit(text: string): ParseResult<number> {
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : Infinity;
  if (limit <= MAX_PAGE_SIZE) return { value: limit };
  return { message: `must be a whole number from 1 to ${MAX_PAGE_SIZE}` };
}

function parseBefore(text: string): ParseResult<bigint> {
  const value = parseIsoTimestamp(text);
  return value === null ? { message: 'must be an ISO 8601 timestamp' } : { value };
}

function parseStatus(text: string): ParseResult<JobFilter['status']> {
  const value = JOB_STATUSES.find((status) => status === text);
  return value === undefined ? { message: `must be one of: ${JOB_STATUSES.join(', ')}` } : { value };
}

function parseFields(text: string): ParseResult<ExtraField[]> {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const known = names.flatMap((name) => EXTRA_FIELD_NAMES.find((each) => each === name) ?? []);
  const unknown = names.find(
    (name) => !DEFAULT_FIELDS.includes(name) && !known.some((each) => each === name),
  );
  if (unknown === undefined) return { value: known };
  const shown = JSON.stringify(unknown.slice(0, 40).toWellFormed());
  return {
    message: `${shown} is no field; known are: ${[...DEFAULT_FIELDS, ...EXTRA_FIELD_NAMES].join(', ')}`,
  };
}
