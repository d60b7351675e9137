import { invalidField } from '@app/errors';
import { isMetadataParameter, metadataOfParameters } from '../jobs/job-metadata.js';
import { JobOptionsDto } from '../jobs/job-options.dto.js';
import { checked } from '../validation/validation.js';

const FLAGS = ['word_timestamps', 'speaker_labels', 'diarize', 'nltk'] as const;
const TEXTS = ['model', 'output_type', 'tier', 'callback_url'] as const;

const KNOWN: ReadonlySet<string> = new Set([...TEXTS, ...FLAGS, 'custom_vocabulary']);

/** Names in a query that mean nothing to the route. */
export function ignoredParameters(query: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(query).filter((name) => !KNOWN.has(name) && !isMetadataParameter(name));
}

/**
 * The job options of a query string, judged like those of a body. What has no counterpart in a query (a flag that is
 * neither `true` nor `false`, a parameter given twice) is left as it is, for the judgement to name it.
 * @throws ServiceError `validation_failed` naming the parameter
 */
export function optionsOfQuery(query: Readonly<Record<string, unknown>>): JobOptionsDto {
  const options: Record<string, unknown> = {};
  for (const name of TEXTS) options[name] = query[name];
  for (const name of FLAGS) options[name] = flagOf(query[name]);
  options['custom_vocabulary'] = termsOf(query['custom_vocabulary']);
  options['metadata'] = metadataOfParameters(query);
  return checked(JobOptionsDto, options);
}

function flagOf(value: unknown): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

/** One comma-separated text; blanks around terms and empty terms say nothing. */
function termsOf(value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string')
    throw invalidField('custom_vocabulary', 'must be given once, its terms separated by commas');
  return value
    .split(',')
    .map((term) => term.trim())
    .filter((term) => term !== '');
}
