import { createInvalidFieldError } from '@app/errors';
import { isMetadataParameter, collectMetadataParameters } from '../jobs/job-metadata.js';
import { SPEAKER_COUNT_FIELDS } from '../jobs/speaker-count.js';
import { JobOptionsDto } from '../jobs/job-options.dto.js';
import { createValidatedDto } from '../validation/create-validated-dto.js';

const FLAG_PARAMETERS = [
  'word_timestamps',
  'speaker_labels',
  'diarize',
  'nltk',
  'filler_words',
  'multichannel',
] as const;
const TEXT_PARAMETERS = ['model', 'output_type', 'tier', 'vocabulary', 'callback_url'] as const;

const KNOWN_PARAMETERS: ReadonlySet<string> = new Set([
  ...TEXT_PARAMETERS,
  ...FLAG_PARAMETERS,
  ...SPEAKER_COUNT_FIELDS,
  'custom_vocabulary',
  'redact',
]);

export function findIgnoredQueryParameters(query: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(query).filter((name) => !KNOWN_PARAMETERS.has(name) && !isMetadataParameter(name));
}

/**
 * Parses the job options of a query string and validates them like those of a body. Malformed flags and duplicate
 * parameters are passed through, so that validation names them.
 * @throws ServiceError `validation_failed` naming the parameter
 */
export function parseJobOptionStrings(query: Readonly<Record<string, unknown>>): JobOptionsDto {
  const options: Record<string, unknown> = {};
  for (const name of [...TEXT_PARAMETERS, ...FLAG_PARAMETERS, ...SPEAKER_COUNT_FIELDS])
    if (Array.isArray(query[name])) throw createInvalidFieldError(name, 'must be given once');
  for (const name of TEXT_PARAMETERS) options[name] = query[name];
  for (const name of FLAG_PARAMETERS) options[name] = parseFlag(query[name]);
  for (const name of SPEAKER_COUNT_FIELDS) options[name] = parseCount(query[name]);
  options['custom_vocabulary'] = parseList(query, 'custom_vocabulary', 'terms');
  options['redact'] = parseList(query, 'redact', 'kinds');
  options['metadata'] = collectMetadataParameters(query);
  return createValidatedDto(JobOptionsDto, options);
}

function parseFlag(value: unknown): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

function parseCount(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/** Comma-separated; surrounding blanks and empty items are dropped. */
function parseList(
  query: Readonly<Record<string, unknown>>,
  name: string,
  items: string,
): string[] | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string')
    throw createInvalidFieldError(name, `must be given once, its ${items} separated by commas`);
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
