import { describe, expect, it } from 'vitest';
import { TRANSCRIPTION_FORM_LIMITS } from '../form/read-form.js';
import {
  TRANSCRIPTION_RESPONSE_FORMATS,
  parseTranscriptionParams,
} from '../form/parse-transcription-params.js';
import { streamTranscriptionEvents } from '../render/stream-transcription-events.js';
import { toTranscriptTextDeltas } from '../../../transcripts/rendering/run-render-task.js';
import { renderTranscription } from '../render/render-transcription.js';
import { EXAMPLE_TRANSCRIPT } from './example-transcript.js';
import { TRANSCRIPTION_FORM_SCHEMA } from './form-schema.js';
import { TRANSCRIPTION_RESPONSE_CONTENT } from './transcription-responses.js';

describe('the examples of POST /v1/audio/transcriptions', () => {
  it.each(TRANSCRIPTION_RESPONSE_FORMATS)(
    'the %s example equals what the service renders',
    async (format) => {
      const { contentType, body } = await renderTranscription(EXAMPLE_TRANSCRIPT, {
        format,
        granularities: ['segment', 'word'],
      });
      const { example, examples } = TRANSCRIPTION_RESPONSE_CONTENT[contentType.split(';')[0] ?? ''] ?? {};
      const namedExample = examples?.[format]?.value;
      expect(namedExample === undefined ? example : JSON.stringify(namedExample)).toBe(body);
    },
  );

  it('the stream example equals the events that the service sends', async () => {
    const events: string[] = [];
    const transcript = toTranscriptTextDeltas(EXAMPLE_TRANSCRIPT);
    for await (const event of streamTranscriptionEvents(Promise.resolve(transcript), 60_000))
      events.push(event);
    const { example } = TRANSCRIPTION_RESPONSE_CONTENT['text/event-stream'] ?? {};
    expect(String(example).replace(': heartbeat\n\n', '')).toBe(events.join(''));
  });
});

describe('the form schema of POST /v1/audio/transcriptions', () => {
  it('has the defaults and enum values of the form parser', () => {
    const { properties = {}, required = [] } = TRANSCRIPTION_FORM_SCHEMA;
    expect(Object.keys(properties).length).toBeLessThan(TRANSCRIPTION_FORM_LIMITS.fields);
    expect(required).toEqual(['file', 'model']);
    const params = parseTranscriptionParams(new Map([['model', ['whisper-1']]]));
    expect([properties['response_format']?.default, properties['stream']?.default]).toEqual([
      params.format,
      params.stream,
    ]);
    expect(properties['timestamp_granularities[]']?.default).toEqual(params.granularities);
  });
});
