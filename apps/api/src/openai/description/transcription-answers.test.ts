import { describe, expect, it } from 'vitest';
import { FORM_LIMITS } from '../form/form-parser.js';
import { RESPONSE_FORMATS, readWish } from '../form/transcription-form.js';
import { answerEvents } from '../render/answer-events.js';
import { render } from '../render/render.js';
import { EXAMPLE_TRANSCRIPT } from './example-transcript.js';
import { FORM_SCHEMA } from './form-schema.js';
import { TRANSCRIPTION_ANSWERS } from './transcription-answers.js';

describe('the examples of a transcription', () => {
  it.each(RESPONSE_FORMATS)('%s is what the service renders', async (format) => {
    const { contentType, body } = await render(EXAMPLE_TRANSCRIPT, {
      format,
      granularities: ['segment', 'word'],
    });
    const { example, examples } = TRANSCRIPTION_ANSWERS[contentType.split(';')[0] ?? ''] ?? {};
    const told = examples?.[format]?.value;
    expect(told === undefined ? example : JSON.stringify(told)).toBe(body);
  });

  it('a stream is what the service sends, but for the time it takes', async () => {
    const sent: string[] = [];
    for await (const event of answerEvents(Promise.resolve(EXAMPLE_TRANSCRIPT), 60_000)) sent.push(event);
    const { example } = TRANSCRIPTION_ANSWERS['text/event-stream'] ?? {};
    expect(String(example).replace(': heartbeat\n\n', '')).toBe(sent.join(''));
  });
});

describe('the form', () => {
  it('has the defaults and the choices that the service has', () => {
    const { properties = {}, required = [] } = FORM_SCHEMA;
    expect(Object.keys(properties).length).toBeLessThan(FORM_LIMITS.fields);
    expect(required).toEqual(['file', 'model']);
    const wish = readWish(new Map([['model', ['whisper-1']]]));
    expect([properties['response_format']?.default, properties['stream']?.default]).toEqual([
      wish.format,
      wish.stream,
    ]);
    expect(properties['timestamp_granularities[]']?.default).toEqual(wish.granularities);
  });
});
