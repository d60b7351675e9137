import { DEFAULT_OPTIONS, MODELS, OUTPUT_TYPES, TIERS } from '@app/jobs';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { EXAMPLE } from '../openapi/examples.js';

const flag = (description: string, name: 'word_timestamps' | 'speaker_labels' | 'nltk') =>
  ({ type: 'boolean', default: DEFAULT_OPTIONS[name], description }) as const;

/** What the job options are, wherever they are given: in a body or in a query. */
export const OPTION = {
  model: {
    type: 'string',
    enum: [...MODELS],
    default: DEFAULT_OPTIONS.model,
    description: 'The only model available.',
  },
  output_type: {
    type: 'string',
    enum: [...OUTPUT_TYPES],
    default: DEFAULT_OPTIONS.output_type,
    description: 'Format of the stored transcript.',
    examples: ['txt'],
  },
  word_timestamps: flag('Start and end of every word.', 'word_timestamps'),
  speaker_labels: flag('Who speaks when: `SPEAKER_1`, `SPEAKER_2`, … by first appearance.', 'speaker_labels'),
  diarize: {
    type: 'boolean',
    description: 'Another name of `speaker_labels`. Giving both, different, is refused.',
  },
  nltk: flag('Punctuation and sentences.', 'nltk'),
  tier: {
    type: 'string',
    enum: [...TIERS],
    default: DEFAULT_OPTIONS.tier,
    description: 'The only tier available.',
  },
  callback_url: {
    type: 'string',
    format: 'uri',
    maxLength: 2_048,
    description:
      'http or https address that is told of the end of the job. Must resolve to public addresses only.',
    examples: [EXAMPLE.callbackUrl],
  },
} as const satisfies Record<string, ApiPropertyOptions>;
