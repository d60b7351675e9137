import type {
  TranscriptDocument,
  TranscriptSegment,
  TranscriptSpeaker,
  TranscriptWarning,
  TranscriptWord,
} from './document.js';

type Fields<T> = { [field in keyof Required<T>]: object };

const text = (description: string, more: object = {}) => ({ type: 'string', description, ...more });
const perhaps = (description: string) => ({ type: ['string', 'null'], description });
const seconds = (description: string) => ({ type: 'number', minimum: 0, description });
const confidence = {
  type: ['number', 'null'],
  minimum: 0,
  maximum: 1,
  description: '0 to 1, null when unknown.',
};
const listOf = (name: string, description: string) => ({ type: 'array', items: ref(name), description });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Every field is always there: what is not known is null. */
function object<T>(description: string, properties: Fields<T>): Record<string, unknown> {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}

const word = object<TranscriptWord>('One word.', {
  word: text('With the capitals and marks it has in the text of the segment.'),
  start: seconds('Seconds on the clock of the file.'),
  end: seconds('Seconds on the clock of the file.'),
  confidence,
  speaker: perhaps('Who says it.'),
});

const segment = object<TranscriptSegment>('A sentence, or an utterance between pauses.', {
  id: { type: 'integer', minimum: 0, description: 'The place in `segments`, from 0.' },
  start: seconds('Seconds on the clock of the file.'),
  end: seconds('Seconds on the clock of the file.'),
  text: text('What is said.'),
  language: perhaps('Of this segment.'),
  speaker: perhaps('Who says it; null without `speaker_labels`.'),
  confidence,
  words: {
    type: ['array', 'null'],
    items: ref('TranscriptWord'),
    description: 'null without `word_timestamps`.',
  },
});

const speaker = object<TranscriptSpeaker>('One voice of the recording.', {
  id: text('`SPEAKER_1`, `SPEAKER_2`, … by first appearance.', { pattern: '^SPEAKER_[1-9]\\d*$' }),
  name: perhaps('What you call this voice; null until it is given a name.'),
  duration: seconds('Seconds in which this voice talks.'),
});

const warning = object<TranscriptWarning>('Something that could not be done.', {
  code: text('Stable machine name, such as `speakers_unavailable`.'),
  message: text('In words for people.'),
  segment_id: { type: ['integer', 'null'], minimum: 0, description: 'null when it is about the whole file.' },
});

const engine = {
  type: 'object',
  description: 'What did the work; null where it does not say.',
  properties: {
    name: { type: 'string' },
    model: { type: ['string', 'null'] },
    version: { type: ['string', 'null'] },
  } satisfies Fields<TranscriptDocument['engine']>,
  required: ['name', 'model', 'version'],
};

const usage = {
  type: 'object',
  description: 'What is charged.',
  properties: { seconds: { type: 'number', minimum: 0 } } satisfies Fields<TranscriptDocument['usage']>,
  required: ['seconds'],
};

const document = object<TranscriptDocument>('The `json` output, of which every other format is made.', {
  job_id: text('The job.', { format: 'uuid' }),
  schema_version: { const: '1.0', description: 'Of this schema.' },
  created_at: text('ISO 8601, UTC.', { format: 'date-time' }),
  model: text('The public name of the model.'),
  engine,
  duration: seconds('Seconds of the file.'),
  language: perhaps('The one that is spoken most, as detected.'),
  languages: {
    type: 'array',
    items: { type: 'string' },
    description: 'All that were detected, the one that is spoken most first.',
  },
  confidence,
  text: text('Everything that is said.'),
  speakers: listOf('TranscriptSpeaker', 'The voices; empty without `speaker_labels`.'),
  segments: listOf('TranscriptSegment', 'In order, never overlapping.'),
  warnings: listOf('TranscriptWarning', 'What could not be done.'),
  options: { type: 'object', description: 'The options of the job.' },
  usage,
});

/** JSON Schema (2020-12) of the document and its parts, as components of an OpenAPI document refer to each other. */
export const TRANSCRIPT_SCHEMAS: Record<string, Record<string, unknown>> = {
  TranscriptDocument: document,
  TranscriptSegment: segment,
  TranscriptWord: word,
  TranscriptSpeaker: speaker,
  TranscriptWarning: warning,
};
