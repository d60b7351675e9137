import { type MediaType, type Schema, toSchemaRef } from '../../../openapi/document-types.js';
import { toDiarizedJson, toOpenAiUsage, toVerboseJson } from '../render/render-transcription.js';
import type { OPENAI_SCHEMAS } from './openai-schemas.js';
import { EXAMPLE_TRANSCRIPT } from './example-transcript.js';

const ref = (name: keyof typeof OPENAI_SCHEMAS): Schema => toSchemaRef(name);

const textContent = (description: string, example: string): MediaType => ({
  schema: { type: 'string', description },
  example,
});

const { text: wholeText } = EXAMPLE_TRANSCRIPT;

/** The events of a streamed response, which have no `event` line. */
const STREAM_EVENTS = [
  {
    event: 'transcript.text.delta',
    description:
      'A transcribed chunk in the order of the audio, while the job runs, as the engine wrote it; then what was not sent yet. Only the text of `transcript.text.done` is final.',
    data: ref('OpenAiTextDelta'),
  },
  { event: 'transcript.text.done', description: 'The last one.', data: ref('OpenAiTextDone') },
  {
    event: 'error',
    description: 'Sent last, instead of the text. The event has no `type`.',
    data: ref('OpenAiError'),
  },
];

/** Content of a transcription response by content type; the form selects one. */
export const TRANSCRIPTION_RESPONSE_CONTENT: Record<string, MediaType> = {
  'application/json': {
    schema: {
      anyOf: [
        ref('OpenAiTranscription'),
        ref('OpenAiVerboseTranscription'),
        ref('OpenAiDiarizedTranscription'),
      ],
    },
    examples: {
      json: { summary: 'json', value: { text: wholeText, usage: toOpenAiUsage(EXAMPLE_TRANSCRIPT) } },
      verbose_json: {
        summary: 'verbose_json, with segments and words',
        value: toVerboseJson(EXAMPLE_TRANSCRIPT, { granularities: ['segment', 'word'] }),
      },
      diarized_json: { summary: 'diarized_json', value: toDiarizedJson(EXAMPLE_TRANSCRIPT) },
    },
  },
  'text/plain': textContent('`text`.', `${wholeText}\n`),
  'application/x-subrip': textContent(
    '`srt`; the speakers with `speaker_labels`.',
    '1\n00:00:00,500 --> 00:00:01,900\nSPEAKER_1: Good morning.\n\n2\n00:00:02,000 --> 00:00:03,900\nSPEAKER_2: And to you.\n',
  ),
  'text/vtt': textContent(
    '`vtt`; the speakers with `speaker_labels`.',
    'WEBVTT\n\n1\n00:00:00.500 --> 00:00:01.900\n<v SPEAKER_1>Good morning.</v>\n\n2\n00:00:02.000 --> 00:00:03.900\n<v SPEAKER_2>And to you.</v>\n',
  ),
  'text/event-stream': {
    schema: {
      type: 'string',
      description: 'With `stream`: comments while the job runs, then the events. They have no `event` line.',
    },
    example: [
      ': accepted',
      ': heartbeat',
      'data: {"type":"transcript.text.delta","delta":"Good morning."}',
      'data: {"type":"transcript.text.delta","delta":" And to you."}',
      `data: {"type":"transcript.text.done","text":"${wholeText}"}`,
    ]
      .map((event) => `${event}\n\n`)
      .join(''),
    'x-events': STREAM_EVENTS,
  },
};
