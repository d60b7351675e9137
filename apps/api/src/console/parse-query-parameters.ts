import {
  type InvalidField,
  createInvalidFieldError,
  createInvalidFieldsError,
  isPrintableText,
} from '@app/errors';
import { findUnknownParameterErrors } from '../validation/find-unknown-parameters.js';
import { parseIsoTimestampToMicroseconds } from '../validation/parse-iso-timestamp.js';

const DAY_MS = 86_400_000;
const MICROSECONDS_PER_MS = 1_000n;

/** @throws ServiceError `validation_failed` that names every unknown, repeated or unprintable parameter */
export function parseAllowedQueryParameters<K extends string>(
  query: Readonly<Record<string, unknown>>,
  names: readonly K[],
): Partial<Record<K, string>> {
  const errors: InvalidField[] = findUnknownParameterErrors(query, names);
  const values: Partial<Record<K, string>> = {};
  for (const name of names) {
    const value = query[name];
    if (typeof value === 'string' && isPrintableText(value)) values[name] = value;
    else if (value !== undefined)
      errors.push({ field: name, message: 'must be given once, without control characters' });
  }
  if (errors.length > 0) throw createInvalidFieldsError(errors);
  return values;
}

/** @param text ISO 8601; UTC unless it has an offset @throws ServiceError `validation_failed` */
export function parseTimeParameter(field: string, text: string): Date {
  const microseconds = parseIsoTimestampToMicroseconds(text);
  if (microseconds === null) throw createInvalidFieldError(field, 'must be an ISO 8601 time');
  return new Date(Number(microseconds / MICROSECONDS_PER_MS));
}

/** @param text id of the last row of the page before @throws ServiceError `validation_failed` */
export function parseBeforeParameter(field: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw createInvalidFieldError(field, 'must be the `next_before` of a page');
  return Number(text);
}

/**
 * Parses a period of whole days in UTC. Without a first day it ends today.
 * @throws ServiceError `validation_failed` that names `from` or `days`
 */
export function parsePeriodParameters(
  { from, days }: { from?: string; days?: string },
  { defaultDays, maxDays }: { defaultDays: number; maxDays: number },
): { from: Date; days: number } {
  const count = days === undefined ? defaultDays : /^\d{1,3}$/.test(days) ? Number(days) : 0;
  if (count < 1 || count > maxDays)
    throw createInvalidFieldError('days', `must be a whole number from 1 to ${maxDays}`);
  if (from === undefined) {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    return { from: new Date(today - (count - 1) * DAY_MS), days: count };
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(from) || parseIsoTimestampToMicroseconds(from) === null)
    throw createInvalidFieldError('from', 'must be a day, YYYY-MM-DD');
  return { from: parseTimeParameter('from', from), days: count };
}
