import { type Schema, toSchemaRef } from '../../../openapi/document-types.js';
import type { ModelListResponse, ModelResponse } from '../model-response.js';
import type { OpenAiErrorBody } from '../../../errors/openai-error-response.js';

const textSchema = (description: string, more: Schema = {}): Schema => ({
  type: 'string',
  description,
  ...more,
});
const numberSchema = (description: string): Schema => ({ type: 'number', description });
const secondsSchema = (description: string): Schema => ({ type: 'number', minimum: 0, description });
const listSchema = (items: Schema, description: string): Schema => ({ type: 'array', items, description });
const indexSchema: Schema = { type: 'integer', minimum: 0, description: 'Index in the list, from 0.' };
const start = secondsSchema('Seconds from the start of the file.');
const end = start;

/** @param optional names of the optional fields */
function objectSchema(
  description: string,
  properties: Record<string, Schema>,
  ...optional: string[]
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', description, properties, required };
}

const task: Schema = { const: 'transcribe', description: 'The task.' };
const duration = secondsSchema('Length of the file in seconds.');
const wholeText = textSchema('The whole text.');
const usage = objectSchema('The charged length.', {
  type: { const: 'duration', description: 'Always `duration`: audio is charged by its length.' },
  seconds: { type: 'integer', minimum: 0, description: 'Started seconds of audio.' },
});

const verboseSegment = objectSchema('A sentence, or an utterance between pauses.', {
  id: indexSchema,
  seek: { type: 'integer', minimum: 0, description: '`start` in hundredths of a second.' },
  start,
  end,
  text: textSchema(
    'The text, with the characters between it and the segment before: joined, the texts are `text`.',
  ),
  tokens: { type: 'array', items: { type: 'integer' }, description: 'Always empty.' },
  temperature: numberSchema('Always 0.'),
  avg_logprob: numberSchema('Logarithm of the confidence of the segment, 0 without one.'),
  compression_ratio: numberSchema('Bytes of the text divided by its compressed bytes.'),
  no_speech_prob: numberSchema('Always 0.'),
});

const word = objectSchema('One word.', { word: textSchema('As written in the text.'), start, end });

const diarizedSegment = objectSchema('A segment of one speaker.', {
  type: { const: 'transcript.text.segment', description: 'Type of the object.' },
  id: textSchema('`seg_` and the index in the list, from 0.'),
  start,
  end,
  text: textSchema('The text of the segment.'),
  speaker: textSchema(
    '`SPEAKER_1`, `SPEAKER_2`, … by first appearance; `unknown` if speakers could not be distinguished.',
  ),
});

const error = objectSchema('The error.', {
  message: textSchema('What happened in this request.'),
  type: textSchema('The kind of the error, from which OpenAI’s clients choose the exception type.'),
  param: { type: ['string', 'null'], description: 'The invalid form field.' },
  code: textSchema('Stable machine-readable code; decide on it.'),
} satisfies Record<keyof OpenAiErrorBody['error'], Schema>);

const model = objectSchema('A model.', {
  id: textSchema('Its name.'),
  object: { const: 'model', description: 'Type of the object.' },
  created: { type: 'integer', description: 'Seconds since 1970.' },
  owned_by: textSchema('Always `zephyr`.'),
} satisfies Record<keyof ModelResponse, Schema>);

export const OPENAI_SCHEMAS = {
  OpenAiTranscription: objectSchema('`json`.', { text: wholeText, usage }),
  OpenAiVerboseTranscription: objectSchema(
    '`verbose_json`.',
    {
      task,
      language: textSchema('English name of the language in lower case; `unknown` if none was detected.'),
      duration,
      text: wholeText,
      segments: listSchema(verboseSegment, 'With the granularity `segment`.'),
      words: listSchema(word, 'With the granularity `word`.'),
      usage,
    },
    'segments',
    'words',
  ),
  OpenAiDiarizedTranscription: objectSchema('`diarized_json`.', {
    task,
    duration,
    text: wholeText,
    segments: listSchema(diarizedSegment, 'In order.'),
    usage,
  }),
  OpenAiTextDelta: objectSchema('The next piece of the text.', {
    type: { const: 'transcript.text.delta', description: 'Type of the event.' },
    delta: textSchema(
      'With the space before it, if any. The words of the recording, each once; only the text of the last event has the punctuation and corrections that need the whole recording.',
    ),
  }),
  OpenAiTextDone: objectSchema('The end of the stream.', {
    type: { const: 'transcript.text.done', description: 'Type of the event.' },
    text: wholeText,
  }),
  OpenAiError: objectSchema('The body of every error below `/v1`.', { error }),
  OpenAiModel: model,
  OpenAiModelList: objectSchema('The models.', {
    object: { const: 'list', description: 'Type of the object.' },
    data: listSchema(toSchemaRef('OpenAiModel'), 'The models.'),
  } satisfies Record<keyof ModelListResponse, Schema>),
} as const satisfies Record<string, Schema>;
