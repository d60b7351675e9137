import type { JobFilter, JobMetadata } from '@app/jobs';
import {
  type ParameterValueOrError,
  createChoiceParser,
  createWholeNumberParser,
  QueryParameterReader,
} from '../validation/query-parameter-reader.js';
import { parseIsoTimestampToMicroseconds } from '../validation/parse-iso-timestamp.js';
import { JOB_STATUSES } from './job-fields.openapi.js';
import { EXTRA_JOB_FIELD_NAMES, type ExtraJobField } from './job-list.dto.js';
import { isMetadataParameter, findMetadataErrors, collectMetadataParameters } from './job-metadata.js';

export const DEFAULT_JOB_PAGE_SIZE = 50;
export const MAX_JOB_PAGE_SIZE = 100;
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

/** @throws ServiceError `invalid_parameter` naming every invalid, duplicate or unknown parameter */
export function parseJobListQuery(query: Readonly<Record<string, unknown>>): JobListQuery {
  const reader = new QueryParameterReader(query, QUERY_PARAMETERS, isMetadataParameter);
  const metadata = collectMetadataParameters(query) ?? null;
  const parsed: JobListQuery = {
    limit: reader.read('limit', createWholeNumberParser(1, MAX_JOB_PAGE_SIZE), DEFAULT_JOB_PAGE_SIZE),
    before: reader.read<bigint | null>('before', parseTimestampParameterToMicroseconds, null),
    status: reader.read<JobFilter['status']>('status', createChoiceParser(JOB_STATUSES), null),
    fields: reader.read<ExtraJobField[]>('fields', parseFields, []),
    metadata: metadata as JobMetadata | null,
  };
  reader.addErrors(...findMetadataErrors(metadata));
  reader.assertValid();
  return parsed;
}

/** Microseconds since 1970. */
export function parseTimestampParameterToMicroseconds(text: string): ParameterValueOrError<bigint> {
  const value = parseIsoTimestampToMicroseconds(text);
  return value === null ? { message: 'must be an ISO 8601 timestamp' } : { value };
}

function parseFields(text: string): ParameterValueOrError<ExtraJobField[]> {
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
