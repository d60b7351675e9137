import {
  SCHEMA_VERSION,
  type TranscriptDocument,
  type TranscriptParagraph,
  type TranscriptSegment,
  type TranscriptSpeaker,
  type TranscriptTurn,
  type TranscriptUsage,
  type TranscriptWarning,
  type TranscriptWord,
} from './transcript-document.js';

type Fields<T> = { [field in keyof Required<T>]: object };

const textField = (description: string, more: object = {}) => ({ type: 'string', description, ...more });
const nullableText = (description: string) => ({ type: ['string', 'null'], description });
const seconds = (description: string) => ({ type: 'number', minimum: 0, description });
const confidence = {
  type: ['number', 'null'],
  minimum: 0,
  maximum: 1,
  description: '0 to 1, null when unknown.',
};
const channel = {
  type: ['integer', 'null'],
  minimum: 1,
  description: 'Channel of the recording, from 1; null if the channels were not transcribed apart.',
};
const arrayOf = (name: string, description: string) => ({
  type: 'array',
  items: schemaRef(name),
  description,
});
const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** All fields are required: unknown values are null. */
function objectSchema<T>(description: string, properties: Fields<T>): Record<string, unknown> {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}

const word = objectSchema<TranscriptWord>('One word.', {
  word: textField('With the capitals and punctuation of the segment text.'),
  start: seconds('Seconds from the start of the file.'),
  end: seconds('Seconds from the start of the file.'),
  confidence,
  speaker: nullableText('Who says it.'),
  channel,
  language: nullableText('Of this word; null if the engine reports none.'),
  estimated: {
    type: 'boolean',
    description: 'True if the engine gave no times for this word, and the service estimated them.',
  },
  redacted: {
    type: ['string', 'null'],
    description:
      'What the word stands for if it was redacted, such as `email` (its text is then `[email]`); null for other words.',
  },
});

const segment = objectSchema<TranscriptSegment>('A sentence, or an utterance between pauses.', {
  id: { type: 'integer', minimum: 0, description: 'Index in `segments`, from 0.' },
  start: seconds('Seconds from the start of the file.'),
  end: seconds('Seconds from the start of the file.'),
  text: textField('What is said.'),
  language: nullableText('Of this segment.'),
  speaker: nullableText('Label of the speaker; null without `speaker_labels`.'),
  channel,
  confidence,
  words: {
    type: ['array', 'null'],
    items: schemaRef('TranscriptWord'),
    description: 'null without `word_timestamps`.',
  },
});

const segmentRange = {
  start: seconds('Seconds from the start of the file.'),
  end: seconds('Seconds from the start of the file.'),
  text: textField('What is said.'),
  speaker: nullableText('Label of the speaker; null if unknown.'),
  first_segment: { type: 'integer', minimum: 0, description: '`id` of its first segment.' },
  last_segment: { type: 'integer', minimum: 0, description: '`id` of its last segment.' },
};

const turn = objectSchema<TranscriptTurn>(
  'What one speaker says until another one speaks: consecutive segments.',
  segmentRange,
);

const paragraph = objectSchema<TranscriptParagraph>(
  'Consecutive sentences of one speaker and language without a long pause.',
  { ...segmentRange, language: nullableText('Of its segments.') },
);

const speaker = objectSchema<TranscriptSpeaker>('One speaker of the recording.', {
  id: textField('`SPEAKER_1`, `SPEAKER_2`, … by first appearance.', { pattern: '^SPEAKER_[1-9]\\d*$' }),
  name: nullableText('Name of the speaker; null until one is set.'),
  duration: seconds('Seconds in which this speaker talks.'),
  channel,
});

const warning = objectSchema<TranscriptWarning>('Something that could not be done, or that was missing.', {
  code: textField(
    'Stable machine name, such as `speakers_unavailable` or `audio_truncated`; more may be added.',
  ),
  message: textField('In words for people.'),
  segment_id: { type: ['integer', 'null'], minimum: 0, description: 'null when it is about the whole file.' },
});

const engine = {
  type: 'object',
  description: 'The engine, its model and version; null if it does not report them.',
  properties: {
    name: { type: 'string' },
    model: { type: ['string', 'null'] },
    version: { type: ['string', 'null'] },
  } satisfies Fields<TranscriptDocument['engine']>,
  required: ['name', 'model', 'version'],
};

const usage = objectSchema<TranscriptUsage>('What the job used.', {
  seconds: seconds('Seconds of audio that were transcribed; equals `duration`.'),
  credits: {
    type: ['integer', 'null'],
    minimum: 0,
    description:
      'Credits charged for the job, by started seconds: 64.4 seconds are charged as 65. null if not known.',
  },
});

const document = objectSchema<TranscriptDocument>(
  'The `json` output, from which every other format is rendered.',
  {
    job_id: textField('The job.', { format: 'uuid' }),
    schema_version: {
      type: 'string',
      pattern: '^1\\.\\d+$',
      examples: [SCHEMA_VERSION],
      description:
        'The number after the point is raised when fields are added; a transcript that was stored earlier lacks them.',
    },
    created_at: textField('ISO 8601, UTC.', { format: 'date-time' }),
    model: textField('The public name of the model.'),
    engine,
    duration: seconds('Length of the file in seconds.'),
    language: nullableText('The detected language that is spoken most.'),
    languages: {
      type: 'array',
      items: { type: 'string' },
      description: 'All detected languages, the one that is spoken most first.',
    },
    confidence,
    text: textField('The whole text.'),
    speakers: arrayOf('TranscriptSpeaker', 'The speakers; empty without `speaker_labels`.'),
    segments: arrayOf(
      'TranscriptSegment',
      'In order of their start. They overlap only if people on different channels talk at once.',
    ),
    turns: arrayOf('TranscriptTurn', 'In order; empty without `speaker_labels`.'),
    paragraphs: arrayOf('TranscriptParagraph', 'In order; together they hold all segments.'),
    warnings: arrayOf('TranscriptWarning', 'What could not be done, or was missing.'),
    options: { type: 'object', description: 'The options of the job, with the defaults filled in.' },
    usage,
  },
);

/** JSON Schema (2020-12) of the document, by itself. */
export function buildTranscriptJsonSchema(): Record<string, unknown> {
  const definitions = JSON.stringify(TRANSCRIPT_OPENAPI_SCHEMAS).replaceAll(
    '#/components/schemas/',
    '#/$defs/',
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Transcript',
    $comment: `Version ${SCHEMA_VERSION}. Fields may be added; accept unknown ones.`,
    $ref: '#/$defs/TranscriptDocument',
    $defs: JSON.parse(definitions) as unknown,
  };
}

/** JSON Schema (2020-12) of the document and its parts, as components of an OpenAPI document refer to each other. */
export const TRANSCRIPT_OPENAPI_SCHEMAS: Record<string, Record<string, unknown>> = {
  TranscriptDocument: document,
  TranscriptSegment: segment,
  TranscriptWord: word,
  TranscriptSpeaker: speaker,
  TranscriptTurn: turn,
  TranscriptParagraph: paragraph,
  TranscriptWarning: warning,
};
