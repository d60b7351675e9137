import { type FieldError, ServiceError } from '@app/errors';
import type { JobFilter, JobMetadata } from '@app/jobs';
import { unknownParameters } from '../validation/unknown-parameters.js';
import { readIsoMoment } from './iso-moment.js';
import { JOB_STATUSES } from './job-fields.openapi.js';
import { EXTRA_FIELD_NAMES, type ExtraField } from './job-list.dto.js';
import { isMetadataParameter, metadataErrors, metadataOfParameters } from './job-metadata.js';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;
const PARAMETERS = ['limit', 'before', 'status', 'fields'];
/** Fields of every row: asking for them changes nothing. */
const ALWAYS = ['job_id', 'created_at'];

export interface JobListQuery extends JobFilter {
  limit: number;
  /** Microseconds since 1970, exclusive. */
  before: bigint | null;
  /** What rows have beside id and moment. */
  fields: ExtraField[];
}

type Read<T> = { value: T } | { message: string };

/**
 * @throws ServiceError 400 naming every parameter that is out of form, given twice or unknown
 */
export function readJobListQuery(query: Readonly<Record<string, unknown>>): JobListQuery {
  const errors: FieldError[] = unknownParameters(query, PARAMETERS, isMetadataParameter);
  const take = <T>(field: string, read: (text: string) => Read<T>, usual: T): T => {
    const given = query[field];
    if (given === undefined) return usual;
    const found = typeof given === 'string' ? read(given) : { message: 'must be given once' };
    if ('value' in found) return found.value;
    errors.push({ field, message: found.message });
    return usual;
  };
  const read: JobListQuery = {
    limit: take('limit', readLimit, DEFAULT_PAGE_SIZE),
    before: take<bigint | null>('before', readBefore, null),
    status: take<JobFilter['status']>('status', readStatus, null),
    fields: take<ExtraField[]>('fields', readFields, []),
    metadata: null,
  };
  const metadata = metadataOfParameters(query) ?? null;
  errors.push(...metadataErrors(metadata));
  if (errors.length === 0) return { ...read, metadata: metadata as JobMetadata | null };
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new ServiceError('invalid_parameter', { detail, errors });
}

function readLimit(text: string): Read<number> {
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : Infinity;
  if (limit <= MAX_PAGE_SIZE) return { value: limit };
  return { message: `must be a whole number from 1 to ${MAX_PAGE_SIZE}` };
}

function readBefore(text: string): Read<bigint> {
  const value = readIsoMoment(text);
  return value === null ? { message: 'must be an ISO 8601 timestamp' } : { value };
}

function readStatus(text: string): Read<JobFilter['status']> {
  const value = JOB_STATUSES.find((status) => status === text);
  return value === undefined ? { message: `must be one of: ${JOB_STATUSES.join(', ')}` } : { value };
}

function readFields(text: string): Read<ExtraField[]> {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const known = names.flatMap((name) => EXTRA_FIELD_NAMES.find((each) => each === name) ?? []);
  const strange = names.find((name) => !ALWAYS.includes(name) && !known.some((each) => each === name));
  if (strange === undefined) return { value: known };
  const shown = JSON.stringify(strange.slice(0, 40).toWellFormed());
  return { message: `${shown} is no field; known are: ${[...ALWAYS, ...EXTRA_FIELD_NAMES].join(', ')}` };
}
