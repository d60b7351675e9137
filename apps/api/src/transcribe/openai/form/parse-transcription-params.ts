import { createInvalidFieldError, isPrintableText } from '@app/errors';
import { MAX_VOCABULARY_TERM_LENGTH, MAX_VOCABULARY_TERMS } from '@app/jobs';
import { isMetadataParameter } from '../../../jobs/job-metadata.js';
import type { JobOptionsDto } from '../../../jobs/job-options.dto.js';
import { SPEAKER_COUNT_FIELDS } from '../../../jobs/speaker-count.js';
import { parseJobOptionStrings } from '../../parse-job-option-strings.js';
import type { FormFields } from './read-form.js';

export const TRANSCRIPTION_RESPONSE_FORMATS = [
  'json',
  'text',
  'srt',
  'verbose_json',
  'vtt',
  'diarized_json',
] as const;
export type TranscriptionResponseFormat = (typeof TRANSCRIPTION_RESPONSE_FORMATS)[number];

export const TIMESTAMP_GRANULARITIES = ['word', 'segment'] as const;
type Granularity = (typeof TIMESTAMP_GRANULARITIES)[number];

const STREAMABLE_FORMATS: readonly TranscriptionResponseFormat[] = ['json', 'text'];
export const MAX_MODEL_NAME_LENGTH = 200;

/** A list consists of short items, none of which ends a sentence. */
const MAX_WORDS_PER_TERM = 4;
const SENTENCE_END = /[.!?。！？](?:\s|$)/u;

export interface TranscriptionParams {
  format: TranscriptionResponseFormat;
  granularities: readonly Granularity[];
  stream: boolean;
  options: JobOptionsDto;
}

/** @throws ServiceError `validation_failed` naming the field. Unknown fields are ignored. */
export function parseTranscriptionParams(fields: FormFields): TranscriptionParams {
  assertModelName(singleValue(fields, 'model'));
  const format = parseEnum(
    'response_format',
    TRANSCRIPTION_RESPONSE_FORMATS,
    singleValue(fields, 'response_format') ?? 'json',
  );
  const stream = parseFlag(fields, 'stream');
  if (stream && !STREAMABLE_FORMATS.includes(format))
    throw createInvalidFieldError(
      'stream',
      `must be false unless response_format is one of: ${STREAMABLE_FORMATS.join(', ')}`,
    );
  const counts = Object.fromEntries(SPEAKER_COUNT_FIELDS.map((name) => [name, singleValue(fields, name)]));
  const needsLabels =
    format === 'diarized_json' || Object.values(counts).some((count) => count !== undefined);
  return {
    format,
    granularities: parseGranularities(fields),
    stream,
    options: parseJobOptionStrings({
      // Every response format is rendered from the stored document.
      output_type: 'json',
      speaker_labels: singleValue(fields, 'speaker_labels') ?? String(needsLabels),
      ...counts,
      nltk: singleValue(fields, 'nltk'),
      filler_words: singleValue(fields, 'filler_words'),
      redact: singleValue(fields, 'redact'),
      multichannel: singleValue(fields, 'multichannel'),
      vocabulary: singleValue(fields, 'vocabulary'),
      ...pickMetadataFields(fields),
      custom_vocabulary:
        singleValue(fields, 'custom_vocabulary') ?? toVocabulary(singleValue(fields, 'prompt')),
    }),
  };
}

/** OpenAI's clients encode an object of `extra_body` as one `metadata[KEY]` field per entry. */
function pickMetadataFields(fields: FormFields): Record<string, unknown> {
  const entries = [...fields].filter(([name]) => isMetadataParameter(name));
  return Object.fromEntries(
    entries.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** Any name is accepted: tools send the model they were written for. */
function assertModelName(model: string | undefined): void {
  if (model === undefined) throw createInvalidFieldError('model', 'is missing');
  if (model.length > MAX_MODEL_NAME_LENGTH || !isPrintableText(model))
    throw createInvalidFieldError('model', `must be a name of at most ${MAX_MODEL_NAME_LENGTH} characters`);
}

/** A prompt is a hint: unusable terms are dropped, not rejected. */
function toVocabulary(prompt: string | undefined): string | undefined {
  const terms = prompt === undefined ? null : parsePromptIfTermList(prompt);
  const usable = terms?.filter((term) => term.length <= MAX_VOCABULARY_TERM_LENGTH && isPrintableText(term));
  return usable?.slice(0, MAX_VOCABULARY_TERMS).join(',');
}

/**
 * Returns the terms of a prompt that is a list, separated by commas or line breaks; null for running text.
 */
export function parsePromptIfTermList(prompt: string): string[] | null {
  const terms = prompt
    .replace(/\.\s*$/, '')
    .split(/[,\n\r;]/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
  const isList = terms.every(
    (term) => term.split(/\s+/).length <= MAX_WORDS_PER_TERM && !SENTENCE_END.test(term),
  );
  return isList && terms.length > 0 ? terms : null;
}

function parseGranularities(fields: FormFields): readonly Granularity[] {
  const name = 'timestamp_granularities';
  const given = [...(fields.get(`${name}[]`) ?? []), ...(fields.get(name) ?? [])];
  const values = given.filter((value) => value !== '');
  return values.length === 0
    ? ['segment']
    : values.map((value) => parseEnum(name, TIMESTAMP_GRANULARITIES, value));
}

function parseFlag(fields: FormFields, name: string): boolean {
  return parseEnum(name, ['true', 'false'], singleValue(fields, name)?.toLowerCase() ?? 'false') === 'true';
}

/** An empty field counts as absent: programs send all fields of a form. */
function singleValue(fields: FormFields, name: string): string | undefined {
  const [value, ...more] = fields.get(name) ?? [];
  if (more.length > 0) throw createInvalidFieldError(name, 'must be given once');
  return value === '' ? undefined : value;
}

function parseEnum<T extends string>(name: string, known: readonly T[], value: string): T {
  const knownValue = known.find((each) => each === value);
  if (knownValue === undefined) throw createInvalidFieldError(name, `must be one of: ${known.join(', ')}`);
  return knownValue;
}
