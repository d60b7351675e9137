import { isPrintableText } from '@app/errors';
import type { ConsoleJobFilter } from '@app/jobs';
import { JOB_STATUSES } from '../../jobs/job-fields.openapi.js';
import { parseTimestampParameterToMicroseconds } from '../../jobs/parse-job-list-query.js';
import {
  createChoiceParser,
  createWholeNumberParser,
  type ParameterValueOrError,
  QueryParameterReader,
} from '../../validation/query-parameter-reader.js';

export const MAX_CONSOLE_JOB_PAGE_SIZE = 500;
export const DEFAULT_CONSOLE_JOB_PAGE_SIZE = 100;
const MAX_TEXT_LENGTH = 200;
const PARAMETERS = ['status', 'text', 'key_id', 'created_after', 'created_before', 'limit', 'cursor'];

export interface ConsoleJobListQuery {
  filter: ConsoleJobFilter;
  limit: number;
}

/**
 * The cursor is the creation time of the last job of the page before, so it narrows `created_before`.
 * @throws ServiceError `invalid_parameter` naming every invalid, duplicate or unknown parameter
 */
export function parseConsoleJobListQuery(query: Readonly<Record<string, unknown>>): ConsoleJobListQuery {
  const reader = new QueryParameterReader(query, PARAMETERS);
  const createdBefore = reader.read<bigint | null>(
    'created_before',
    parseTimestampParameterToMicroseconds,
    null,
  );
  const cursor = reader.read<bigint | null>('cursor', parseTimestampParameterToMicroseconds, null);
  const filter = {
    status: reader.read<ConsoleJobFilter['status']>('status', createChoiceParser(JOB_STATUSES), null),
    text: reader.read<string | null>('text', parseText, null),
    keyId: reader.read<string | null>('key_id', parseText, null),
    createdAfter: reader.read<bigint | null>('created_after', parseTimestampParameterToMicroseconds, null),
    createdBefore:
      cursor !== null && (createdBefore === null || cursor < createdBefore) ? cursor : createdBefore,
  };
  const limit = reader.read(
    'limit',
    createWholeNumberParser(1, MAX_CONSOLE_JOB_PAGE_SIZE),
    DEFAULT_CONSOLE_JOB_PAGE_SIZE,
  );
  reader.assertValid();
  return { filter, limit };
}

function parseText(text: string): ParameterValueOrError<string | null> {
  const value = text.trim();
  if (value.length > MAX_TEXT_LENGTH) return { message: `must have at most ${MAX_TEXT_LENGTH} characters` };
  if (!isPrintableText(value)) return { message: 'must have no control characters' };
  return { value: value === '' ? null : value };
}
