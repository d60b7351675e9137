import { describe, expect, it } from 'vitest';
import type { TranscriptSegment } from '../transcript-document.js';
import { buildDocument } from '../testing/samples.js';
import { buildParagraphs } from './paragraphs.js';

const SPOKEN = { start: 0, end: 1, text: 'One.', speaker: 'SPEAKER_1' };
const NEXT = { start: 2.5, end: 4, text: 'Two.', speaker: 'SPEAKER_1' };
const textsOf = (...segments: Partial<TranscriptSegment>[]) =>
  buildParagraphs(buildDocument(segments)).map(({ text }) => text);

describe('buildParagraphs', () => {
  it('joins the sentences of one speaker according to their script', () => {
    expect(textsOf(SPOKEN, NEXT)).toEqual(['One. Two.']);
    expect(textsOf({ ...SPOKEN, text: '你好。' }, { ...NEXT, text: '再见。' })).toEqual(['你好。再见。']);
  });

  it.each([
    ['another voice', { speaker: 'SPEAKER_2' }],
    ['no voice', { speaker: null }],
    ['another language', { language: 'he' }],
    ['a pause of two seconds', { start: 3 }],
    ['a minute', { end: 60.1 }],
    ['600 characters', { text: `${'x'.repeat(596)}.` }],
  ])('starts a new paragraph at %s', (_, change) => {
    expect(textsOf(SPOKEN, { ...NEXT, ...change })).toHaveLength(2);
  });

  it('fills a paragraph up to exactly the limits', () => {
    expect(textsOf(SPOKEN, { ...NEXT, start: 2.99, end: 60, text: 'x'.repeat(596) })).toHaveLength(1);
  });

  it('keeps an utterance without a final mark separate', () => {
    expect(textsOf({ ...SPOKEN, text: 'one' }, NEXT)).toEqual(['one', 'Two.']);
  });

  it('skips empty segments', () => {
    expect(textsOf(SPOKEN, { ...NEXT, text: ' \u0000 ' })).toEqual(['One.']);
  });

  it('reports where a speaker starts and the time of the first word', () => {
    const segments = [SPOKEN, { ...NEXT, start: 65 }, { start: 7265, text: 'No.', speaker: null }];
    expect(buildParagraphs(buildDocument(segments))).toMatchObject([
      { time: '00:00:00', newSpeaker: true, speaker: 'SPEAKER_1', heading: 'SPEAKER_1' },
      { time: '00:01:05', newSpeaker: false, speaker: 'SPEAKER_1', heading: null },
      { time: '02:01:05', newSpeaker: true, speaker: null, heading: 'Unknown speaker' },
    ]);
    expect(
      buildParagraphs(buildDocument(segments.toReversed()))[0]?.heading,
      'before anybody is named',
    ).toBeNull();
  });
});
