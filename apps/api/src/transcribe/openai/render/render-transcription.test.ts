import type { TranscriptDocument, TranscriptSegment } from '@app/transcript';
import { describe, expect, it } from 'vitest';
import type { TranscriptionParams } from '../form/parse-transcription-params.js';
import { renderTranscription } from './render-transcription.js';

const word = (text: string, start: number) => ({
  word: text,
  start,
  end: start + 0.4,
  confidence: 0.5,
  speaker: null,
  language: null,
  estimated: false,
  redacted: null,
  channel: null,
});

function segment(id: number, text: string, overrides: Partial<TranscriptSegment> = {}): TranscriptSegment {
  const words = text.split(' ').map((each, index) => word(each, id * 10 + index));
  return {
    id,
    start: id * 10,
    end: id * 10 + 5,
    text,
    language: 'en',
    speaker: null,
    channel: null,
    confidence: null,
    words,
    ...overrides,
  };
}

function documentOf(
  text: string,
  segments: TranscriptSegment[],
  overrides: Partial<TranscriptDocument> = {},
) {
  return {
    text,
    speakers: [],
    segments,
    duration: 30.25,
    language: 'en',
    usage: { seconds: 30.25, credits: 31 },
    ...overrides,
  } as TranscriptDocument;
}

const spokenDocument = documentOf('Good day. How are you?', [
  segment(0, 'Good day.', { confidence: 0.5, speaker: 'SPEAKER_1' }),
  segment(1, 'How are you?'),
]);
const silence = documentOf('', [], { language: null });

async function json(
  document: TranscriptDocument,
  params: Partial<TranscriptionParams>,
): Promise<Record<string, unknown>> {
  const { contentType, body } = await renderTranscription(document, {
    format: 'json',
    granularities: ['segment'],
    ...params,
  });
  expect(contentType).toBe('application/json; charset=utf-8');
  return JSON.parse(body) as Record<string, unknown>;
}

const file = (document: TranscriptDocument, format: TranscriptionParams['format']) =>
  renderTranscription(document, { format, granularities: [] });

describe('renderTranscription', () => {
  it('renders json with the text and the usage', async () => {
    const usage = { type: 'duration', seconds: 31 };
    expect(await json(spokenDocument, {})).toEqual({ text: 'Good day. How are you?', usage });
    expect(await json(silence, {})).toEqual({ text: '', usage });
  });

  it('renders verbose_json with every numeric segment field', async () => {
    expect(await json(spokenDocument, { format: 'verbose_json' })).toEqual({
      task: 'transcribe',
      language: 'english',
      duration: 30.25,
      text: 'Good day. How are you?',
      segments: [
        {
          id: 0,
          seek: 0,
          start: 0,
          end: 5,
          text: 'Good day.',
          tokens: [],
          temperature: 0,
          avg_logprob: expect.closeTo(-Math.LN2, 3),
          compression_ratio: expect.closeTo(0.53, 1),
          no_speech_prob: 0,
        },
        expect.objectContaining({ id: 1, seek: 1_000, text: ' How are you?', avg_logprob: 0 }),
      ],
      usage: { type: 'duration', seconds: 31 },
    });
  });

  it('renders verbose_json without segments when only words are requested', async () => {
    const { words, segments } = await json(spokenDocument, {
      format: 'verbose_json',
      granularities: ['word'],
    });
    expect(segments).toBeUndefined();
    expect(words).toHaveLength(5);
    expect((words as object[])[1]).toEqual({ word: 'day.', start: 1, end: 1.4 });
  });

  it('renders verbose_json segments that join to the text without added spaces', async () => {
    const chinese = documentOf('你好。再见。', [segment(0, '你好。'), segment(1, '再见。')], {
      language: 'zh',
    });
    const { language, segments } = await json(chinese, { format: 'verbose_json' });
    expect(language).toBe('chinese');
    expect((segments as { text: string }[]).map(({ text }) => text).join('')).toBe('你好。再见。');
  });

  it('renders verbose_json of silence with an unknown language and empty lists', async () => {
    expect(await json(silence, { format: 'verbose_json', granularities: ['word', 'segment'] })).toMatchObject(
      {
        language: 'unknown',
        text: '',
        segments: [],
        words: [],
      },
    );
  });

  it('renders a finite avg_logprob for a confidence of 0', async () => {
    const transcript = documentOf('x', [segment(0, 'x', { confidence: 0 })]);
    const { segments } = await json(transcript, { format: 'verbose_json' });
    expect((segments as { avg_logprob: unknown }[])[0]?.avg_logprob).toBeLessThan(-10);
  });

  it('renders diarized_json with the speaker of each segment', async () => {
    const { segments, ...rest } = await json(spokenDocument, { format: 'diarized_json' });
    expect(rest).toMatchObject({ task: 'transcribe', duration: 30.25, text: 'Good day. How are you?' });
    const type = 'transcript.text.segment';
    expect(segments).toEqual([
      { type, id: 'seg_0', start: 0, end: 5, text: 'Good day.', speaker: 'SPEAKER_1' },
      { type, id: 'seg_1', start: 10, end: 15, text: 'How are you?', speaker: 'unknown' },
    ]);
  });

  it('renders text, srt and vtt with their content types', async () => {
    expect(await file(spokenDocument, 'text')).toEqual({
      contentType: 'text/plain; charset=utf-8',
      body: 'Good day. How are you?\n',
    });
    const srt = await file(spokenDocument, 'srt');
    expect(srt.contentType).toMatch(/^application\/x-subrip/);
    expect(srt.body).toMatch(/^1\n00:00:00,000 --> /);
    const vtt = await file(spokenDocument, 'vtt');
    expect(vtt.contentType).toMatch(/^text\/vtt/);
    expect(vtt.body).toMatch(/^WEBVTT\n/);
  });
});
