import { invalidField } from '@app/errors';
import { isMetadataParameter } from '../../jobs/job-metadata.js';
import { type JobOptionsDto, MAX_TERM_LENGTH, MAX_TERMS } from '../../jobs/job-options.dto.js';
import { optionsOfQuery } from '../../transcribe/transcribe-query.js';
import { isPlainText } from '../../validation/is-plain-text.js';
import { promptTerms } from './prompt-terms.js';
import type { Fields } from './read-form.js';

export const RESPONSE_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;
export type ResponseFormat = (typeof RESPONSE_FORMATS)[number];

export const GRANULARITIES = ['word', 'segment'] as const;
type Granularity = (typeof GRANULARITIES)[number];

const STREAMED: readonly ResponseFormat[] = ['json', 'text'];
export const MODEL_CHARACTERS = 200;

/** What a form asks for, its file apart. */
export interface Wish {
  format: ResponseFormat;
  granularities: readonly Granularity[];
  stream: boolean;
  options: JobOptionsDto;
}

/** @throws ServiceError `validation_failed` naming the field. What is not looked at here is ignored. */
export function readWish(fields: Fields): Wish {
  checkModel(one(fields, 'model'));
  const format = oneOf('response_format', RESPONSE_FORMATS, one(fields, 'response_format') ?? 'json');
  const stream = flag(fields, 'stream');
  if (stream && !STREAMED.includes(format))
    throw invalidField('stream', `must be false unless response_format is one of: ${STREAMED.join(', ')}`);
  return {
    format,
    granularities: granularities(fields),
    stream,
    options: optionsOfQuery({
      // Whatever is answered is made of the document, which is what is kept.
      output_type: 'json',
      speaker_labels: one(fields, 'speaker_labels') ?? String(format === 'diarized_json'),
      nltk: one(fields, 'nltk'),
      ...metadataFields(fields),
      custom_vocabulary: one(fields, 'custom_vocabulary') ?? vocabularyOf(one(fields, 'prompt')),
    }),
  };
}

/** As OpenAI's clients write an object of `extra_body`: `metadata[KEY]`, a field an entry. */
function metadataFields(fields: Fields): Record<string, unknown> {
  const found = [...fields].filter(([name]) => isMetadataParameter(name));
  return Object.fromEntries(found.map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** Every name is served by the one model there is: tools send the one they were written for. */
function checkModel(model: string | undefined): void {
  if (model === undefined) throw invalidField('model', 'is missing');
  if (model.length > MODEL_CHARACTERS || !isPlainText(model))
    throw invalidField('model', `must be a name of at most ${MODEL_CHARACTERS} characters`);
}

/** A prompt is a hint: one that no vocabulary can be made of is no reason to refuse. */
function vocabularyOf(prompt: string | undefined): string | undefined {
  const terms = prompt === undefined ? null : promptTerms(prompt);
  const usable = terms?.filter((term) => term.length <= MAX_TERM_LENGTH && isPlainText(term));
  return usable?.slice(0, MAX_TERMS).join(',');
}

function granularities(fields: Fields): readonly Granularity[] {
  const name = 'timestamp_granularities';
  const given = [...(fields.get(`${name}[]`) ?? []), ...(fields.get(name) ?? [])];
  return given.length === 0 ? ['segment'] : given.map((value) => oneOf(name, GRANULARITIES, value));
}

function flag(fields: Fields, name: string): boolean {
  return oneOf(name, ['true', 'false'], one(fields, name)?.toLowerCase() ?? 'false') === 'true';
}

/** An empty field is one that was left out: forms are filled in by programs. */
function one(fields: Fields, name: string): string | undefined {
  const [value, ...more] = fields.get(name) ?? [];
  if (more.length > 0) throw invalidField(name, 'must be given once');
  return value === '' ? undefined : value;
}

function oneOf<T extends string>(name: string, known: readonly T[], value: string): T {
  const found = known.find((each) => each === value);
  if (found === undefined) throw invalidField(name, `must be one of: ${known.join(', ')}`);
  return found;
}
