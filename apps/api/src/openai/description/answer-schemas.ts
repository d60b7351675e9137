import type { Schema } from '../../openapi/document-types.js';
import type { ModelListResponse, ModelResponse } from '../model-response.js';
import type { OpenAiError } from '../openai-refusal.js';

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
const number = (description: string): Schema => ({ type: 'number', description });
const seconds = (description: string): Schema => ({ type: 'number', minimum: 0, description });
const list = (items: Schema, description: string): Schema => ({ type: 'array', items, description });
const place: Schema = { type: 'integer', minimum: 0, description: 'Index in the list, from 0.' };
const start = seconds('Seconds from the start of the file.');
const end = start;

/** Every field is there, unless it is named. */
function object(description: string, properties: Record<string, Schema>, ...perhaps: string[]): Schema {
  const required = Object.keys(properties).filter((name) => !perhaps.includes(name));
  return { type: 'object', description, properties, required };
}

const task: Schema = { const: 'transcribe', description: 'What was done.' };
const duration = seconds('Length of the file in seconds.');
const said = text('The whole text.');
const usage = object('The charged length.', {
  type: { const: 'duration', description: 'Always `duration`: audio is charged by its length.' },
  seconds: { type: 'integer', minimum: 0, description: 'Started seconds of audio.' },
});

const verboseSegment = object('A sentence, or an utterance between pauses.', {
  id: place,
  seek: { type: 'integer', minimum: 0, description: '`start` in hundredths of a second.' },
  start,
  end,
  text: text(
    'The text, with the characters between it and the segment before: joined, the texts are `text`.',
  ),
  tokens: { type: 'array', items: { type: 'integer' }, description: 'Always empty.' },
  temperature: number('Always 0.'),
  avg_logprob: number('Logarithm of the confidence of the segment, 0 without one.'),
  compression_ratio: number('Bytes of the text divided by its compressed bytes.'),
  no_speech_prob: number('Always 0.'),
});

const word = object('One word.', { word: text('As written in the text.'), start, end });

const diarizedSegment = object('What one speaker says.', {
  type: { const: 'transcript.text.segment', description: 'What this is.' },
  id: text('`seg_` and the index in the list, from 0.'),
  start,
  end,
  text: text('What is said.'),
  speaker: text(
    '`SPEAKER_1`, `SPEAKER_2`, … by first appearance; `unknown` if speakers could not be told apart.',
  ),
});

const error = object('What is wrong.', {
  message: text('What happened in this request.'),
  type: text('The kind of the error, from which OpenAI’s clients choose the exception type.'),
  param: { type: ['string', 'null'], description: 'The form field that is wrong.' },
  code: text('Stable machine name. Decide on this one.'),
} satisfies Record<keyof OpenAiError['error'], Schema>);

const model = object('A model.', {
  id: text('Its name.'),
  object: { const: 'model', description: 'What this is.' },
  created: { type: 'integer', description: 'Seconds since 1970.' },
  owned_by: text('Always `zephyr`.'),
} satisfies Record<keyof ModelResponse, Schema>);

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** What the routes below `/v1` answer, as components of the document. */
export const OPENAI_SCHEMAS = {
  OpenAiTranscription: object('`json`.', { text: said, usage }),
  OpenAiVerboseTranscription: object(
    '`verbose_json`.',
    {
      task,
      language: text('English name of the language in lower case; `unknown` if none was detected.'),
      duration,
      text: said,
      segments: list(verboseSegment, 'With the granularity `segment`.'),
      words: list(word, 'With the granularity `word`.'),
      usage,
    },
    'segments',
    'words',
  ),
  OpenAiDiarizedTranscription: object('`diarized_json`.', {
    task,
    duration,
    text: said,
    segments: list(diarizedSegment, 'In order.'),
    usage,
  }),
  OpenAiTextDelta: object('The next segment of the text.', {
    type: { const: 'transcript.text.delta', description: 'Which event this is.' },
    delta: text('Joined, they are the whole text.'),
  }),
  OpenAiTextDone: object('The end.', {
    type: { const: 'transcript.text.done', description: 'Which event this is.' },
    text: said,
  }),
  OpenAiError: object('The body of every error below `/v1`.', { error }),
  OpenAiModel: model,
  OpenAiModelList: object('The models.', {
    object: { const: 'list', description: 'What this is.' },
    data: list(ref('OpenAiModel'), 'The models.'),
  } satisfies Record<keyof ModelListResponse, Schema>),
} as const satisfies Record<string, Schema>;
