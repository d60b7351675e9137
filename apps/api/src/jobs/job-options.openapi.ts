import {
  DEFAULT_JOB_OPTIONS,
  JOB_MODELS,
  MULTICHANNEL_MODES,
  OUTPUT_TYPES,
  JOB_TIERS,
  REDACTION_KINDS,
  MAX_VOCABULARY_NAME_LENGTH,
} from '@app/jobs';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';
import { SPEAKER_COUNT_SCHEMAS } from './speaker-count.js';

const booleanOption = (
  description: string,
  name: 'word_timestamps' | 'speaker_labels' | 'nltk' | 'filler_words',
) => ({ type: 'boolean', default: DEFAULT_JOB_OPTIONS[name], description }) as const;

export const REDACT_DESCRIPTION =
  'What is replaced by marks such as `[email]` in every format of the transcript. The audio is not changed.';

/** Schema of the field in a query or form. */
export const REDACT_QUERY_SCHEMA = {
  type: 'string',
  description: `Comma-separated kinds: ${REDACTION_KINDS.join(', ')}. ${REDACT_DESCRIPTION}`,
  examples: ['email,phone'],
} as const;

/** The schemas of the job options, for bodies and queries. */
export const JOB_OPTION_SCHEMAS = {
  model: {
    type: 'string',
    enum: [...JOB_MODELS],
    default: DEFAULT_JOB_OPTIONS.model,
    description: 'The only model available.',
  },
  output_type: {
    type: 'string',
    enum: [...OUTPUT_TYPES],
    default: DEFAULT_JOB_OPTIONS.output_type,
    description: 'Format of the stored transcript.',
    examples: ['txt'],
  },
  word_timestamps: booleanOption('Start and end of every word.', 'word_timestamps'),
  speaker_labels: booleanOption(
    'Diarization: speakers are `SPEAKER_1`, `SPEAKER_2`, … by first appearance. A sentence ends where the speaker changes, so without it the rules that punctuate may set other sentence ends, commas and capitals.',
    'speaker_labels',
  ),
  diarize: {
    type: 'boolean',
    description: 'Alias of `speaker_labels`. Sending both with different values is rejected.',
  },
  nltk: booleanOption('Punctuation and sentence segmentation.', 'nltk'),
  filler_words: booleanOption(
    '`false` leaves hesitations such as “um” out of the transcript.',
    'filler_words',
  ),
  multichannel: {
    enum: [...MULTICHANNEL_MODES],
    default: DEFAULT_JOB_OPTIONS.multichannel,
    description:
      'Whether the two channels of a recording are transcribed apart, each with its own speakers: `auto` if each has a speaker of its own, `true` always, `false` never. Costs the same.',
  },
  ...SPEAKER_COUNT_SCHEMAS,
  tier: {
    type: 'string',
    enum: [...JOB_TIERS],
    default: DEFAULT_JOB_OPTIONS.tier,
    description: 'The only tier available.',
  },
  vocabulary: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_VOCABULARY_NAME_LENGTH,
    description:
      'Name of a vocabulary of the account (Settings in the console). Its terms, as they are when the job is created, are added to `custom_vocabulary`; together they are at most 1,000.',
  },
  callback_url: {
    type: 'string',
    format: 'uri',
    maxLength: 2_048,
    description:
      'http or https URL of a webhook that is sent when the job has ended. Must resolve to public addresses only.',
    examples: [EXAMPLE_VALUES.callbackUrl],
  },
} as const satisfies Record<string, ApiPropertyOptions>;
