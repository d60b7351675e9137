import { type FieldError, invalidFieldsError } from '@app/errors';
import type { JobFilter, JobMetadata } from '@app/jobs';
import { findUnknownParameterErrors } from '../validation/find-unknown-parameters.js';
import { parseIsoTimestamp } from './parse-iso-timestamp.js';
import { JOB_STATUSES } from './job-fields.openapi.js';
import { EXTRA_JOB_FIELD_NAMES, type ExtraJobField } from './job-list.dto.js';
import { isMetadataParameter, findMetadataErrors, parseMetadataParameters } from './job-metadata.js';

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
  fields: ExtraJobField[];
}

type ParseResult<T> = { value: T } | { message: string };

/** @throws ServiceError `invalid_parameter` naming every invalid, duplicate or unknown parameter */
export function parseJobListQuery(query: Readonly<Record<string, unknown>>): JobListQuery {
  const errors: FieldError[] = findUnknownParameterErrors(query, QUERY_PARAMETERS, isMetadataParameter);
  const parseParameter = <T>(field: string, parse: (text: string) => ParseResult<T>, defaultValue: T): T => {
    const value = query[field];
    if (value === undefined) return defaultValue;
    const result = typeof value === 'string' ? parse(value) : { message: 'must be given once' };
    if ('value' in result) return result.value;
    errors.push({ field, message: result.message });
    return defaultValue;
  };
  const parsed: JobListQuery = {
    limit: parseParameter('limit', parseLimit, DEFAULT_PAGE_SIZE),
    before: parseParameter<bigint | null>('before', parseBefore, null),
    status: parseParameter<JobFilter['status']>('status', parseStatus, null),
    fields: parseParameter<ExtraJobField[]>('fields', parseFields, []),
    metadata: null,
  };
  const metadata = parseMetadataParameters(query) ?? null;
  errors.push(...findMetadataErrors(metadata));
  if (errors.length === 0) return { ...parsed, metadata: metadata as JobMetadata | null };
  throw invalidFieldsError(errors, 'invalid_parameter');
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

function parseFields(text: string): ParseResult<ExtraJobField[]> {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const known = names.flatMap((name) => EXTRA_JOB_FIELD_NAMES.find((each) => each === name) ?? []);
  const unknown = names.find(
    (name) => !DEFAULT_FIELDS.includes(name) && !known.some((each) => each === name),
  );
  if (unknown === undefined) return { value: known };
  const shown = JSON.stringify(unknown.slice(0, 40).toWellFormed());
  return {
    message: `${shown} is no field; known are: ${[...DEFAULT_FIELDS, ...EXTRA_JOB_FIELD_NAMES].join(', ')}`,
  };
}
