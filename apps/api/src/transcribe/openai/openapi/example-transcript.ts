import type { TranscriptDocument, TranscriptSegment, TranscriptTurn } from '@app/transcript';
import { EXAMPLE_VALUES } from '../../../openapi/example-values.js';

const segment = (id: number, [start, end]: [number, number], texts: string[]): TranscriptSegment => {
  const speaker = `SPEAKER_${id + 1}`;
  const each = (end - start) / texts.length;
  return {
    id,
    start,
    end,
    text: texts.join(' '),
    language: 'en',
    speaker,
    channel: null,
    confidence: 0.94,
    words: texts.map((word, index) => ({
      word,
      start: start + index * each,
      end: start + (index + 1) * each,
      confidence: 0.94,
      speaker,
      language: 'en',
      estimated: false,
      redacted: null,
      channel: null,
    })),
  };
};

const segments = [segment(0, [0.5, 1.5], ['Good', 'morning.']), segment(1, [2, 3.5], ['And', 'to', 'you.'])];

function toRange({ id, start, end, text, speaker }: TranscriptSegment): TranscriptTurn {
  return { start, end, text, speaker, first_segment: id, last_segment: id };
}

/** Two speakers in four seconds. All examples of responses are rendered from it. */
export const EXAMPLE_TRANSCRIPT: TranscriptDocument = {
  job_id: EXAMPLE_VALUES.jobId,
  schema_version: '1.1',
  created_at: EXAMPLE_VALUES.documentCreatedAt,
  model: 'zephyr',
  engine: { name: 'example', model: null, version: null },
  duration: 3.9,
  language: 'en',
  languages: ['en'],
  confidence: 0.94,
  text: segments.map(({ text }) => text).join(' '),
  speakers: [
    { id: 'SPEAKER_1', name: null, duration: 1, channel: null },
    { id: 'SPEAKER_2', name: null, duration: 1.5, channel: null },
  ],
  segments,
  turns: segments.map(toRange),
  paragraphs: segments.map((each) => ({ ...toRange(each), language: each.language })),
  warnings: [],
  options: {},
  usage: { seconds: 3.9, credits: 4 },
};
