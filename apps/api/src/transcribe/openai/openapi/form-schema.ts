import { DEFAULT_JOB_OPTIONS, JOB_MODELS, MAX_VOCABULARY_TERM_LENGTH, MAX_VOCABULARY_TERMS } from '@app/jobs';
import { JOB_OPTION_SCHEMAS, REDACT_QUERY_SCHEMA } from '../../../jobs/job-options.openapi.js';
import { SPEAKER_COUNT_SCHEMAS } from '../../../jobs/speaker-count.js';
import type { Schema } from '../../../openapi/document-types.js';
import { FILE_FIELD_NAME } from '../form/read-form.js';
import {
  TIMESTAMP_GRANULARITIES,
  MAX_MODEL_NAME_LENGTH,
  TRANSCRIPTION_RESPONSE_FORMATS,
} from '../form/parse-transcription-params.js';

const booleanField = (defaultValue: boolean, description: string): Schema => ({
  type: 'boolean',
  default: defaultValue,
  description,
});

/** Other fields are ignored, and an empty field counts as absent. */
const FORM_FIELD_SCHEMAS: Record<string, Schema> = {
  [FILE_FIELD_NAME]: {
    type: 'string',
    format: 'binary',
    description: 'The audio or video file. The format is detected from the bytes.',
  },
  model: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_MODEL_NAME_LENGTH,
    description: `Any name is accepted and served by \`${JOB_MODELS[0]}\`: tools send the one they were written for.`,
    examples: ['whisper-1'],
  },
  response_format: {
    type: 'string',
    enum: [...TRANSCRIPTION_RESPONSE_FORMATS],
    default: 'json',
    description: 'Format of the response.',
  },
  'timestamp_granularities[]': {
    type: 'array',
    items: { type: 'string', enum: [...TIMESTAMP_GRANULARITIES] },
    default: ['segment'],
    description: 'The lists of a `verbose_json`. May be sent twice, and without the brackets.',
  },
  stream: booleanField(
    false,
    '`true`, with `json` and `text` only: the response starts at once as events. The text of each part is sent when it is transcribed, and the whole text at the end.',
  ),
  prompt: {
    type: 'string',
    description:
      'A list of names, separated by commas or line breaks, becomes `custom_vocabulary`. Running text is ignored.',
    examples: ['Zephyr, diarization'],
  },
  custom_vocabulary: {
    type: 'string',
    description: `Comma-separated terms to bias the recogniser towards, at most ${MAX_VOCABULARY_TERMS} of at most ${MAX_VOCABULARY_TERM_LENGTH} characters. Takes precedence over \`prompt\`.`,
    examples: ['Zephyr, diarization'],
  },
  vocabulary: { ...JOB_OPTION_SCHEMAS.vocabulary },
  speaker_labels: {
    type: 'boolean',
    description:
      'Diarization. Default: `true` with `diarized_json` or a number of speakers, otherwise `false`. Changes sentence ends, as in a create.',
  },
  nltk: booleanField(DEFAULT_JOB_OPTIONS.nltk, 'Punctuation and sentence segmentation.'),
  filler_words: { ...JOB_OPTION_SCHEMAS.filler_words },
  redact: { ...REDACT_QUERY_SCHEMA, examples: [...REDACT_QUERY_SCHEMA.examples] },
  multichannel: { ...JOB_OPTION_SCHEMAS.multichannel },
  ...SPEAKER_COUNT_SCHEMAS,
  'metadata[KEY]': {
    type: 'string',
    description:
      'A metadata entry of the job under your own `KEY`. `extra_body={"metadata": {…}}` in OpenAI’s clients.',
  },
  language: { type: 'string', description: 'Ignored: the language is always detected.' },
  temperature: { type: 'number', description: 'Ignored.' },
};

export const TRANSCRIPTION_FORM_SCHEMA: Schema = {
  type: 'object',
  properties: FORM_FIELD_SCHEMAS,
  required: [FILE_FIELD_NAME, 'model'],
};

export const TRANSCRIPTION_FORM_EXAMPLE = {
  [FILE_FIELD_NAME]: '(the bytes of talk.mp3)',
  model: 'whisper-1',
  response_format: 'srt',
};
