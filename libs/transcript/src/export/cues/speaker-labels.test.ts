import { describe, expect, it } from 'vitest';
import { addNamedSpeakers, buildDocument } from '../../testing/samples.js';
import type { TranscriptSegment } from '../../transcript-document.js';
import { buildCues } from './build-cues.js';
import type { CaptionLayout } from './caption-layout.js';

/** A sentence from `start`, with 0.3 s for each word. */
function say(speaker: string | null, start: number, text: string): Partial<TranscriptSegment> {
  const words = text.split(' ').map((word, index) => ({
    ...{ word, start: start + index * 0.3, end: start + index * 0.3 + 0.29 },
    ...{ confidence: null, speaker, language: null, estimated: false, redacted: null, channel: null },
  }));
  return { start, end: words.at(-1)?.end ?? start, text, speaker, words };
}

const cuesOf = (segments: Partial<TranscriptSegment>[], layout?: CaptionLayout) =>
  buildCues(buildDocument(segments), { hasSpeakerLabels: true, layout });
const textsOf = (segments: Partial<TranscriptSegment>[], layout?: CaptionLayout) =>
  cuesOf(segments, layout).map(({ lines }) => lines.join(' '));

/** Whom a reader takes for the speaker of each cue. */
function readSpeakers(segments: Partial<TranscriptSegment>[]): (string | null)[] {
  let speaker: string | null = null;
  return textsOf(segments).map((text) => (speaker = /^(SPEAKER_\d): /.exec(text)?.[1] ?? speaker));
}

describe('the name of a speaker in cues', () => {
  const LONG =
    'I would like to cancel the contract that I signed with you last month, because the price was twice what your colleague had promised me on the phone.';

  it('is written again after somebody on another channel has spoken meanwhile', () => {
    const segments = [say('SPEAKER_1', 0, LONG), say('SPEAKER_2', 3.5, 'Yes, I understand.')];
    expect(readSpeakers(segments)).toEqual(cuesOf(segments).map(({ speaker }) => speaker));
    expect(textsOf(segments).filter((text) => text.startsWith('SPEAKER_1: '))).toHaveLength(2);
  });

  it('is shown with a short answer for as long as that is spoken, although the other goes on', () => {
    const segments = [say('SPEAKER_1', 0, LONG), say('SPEAKER_2', 4.19, 'Yes, I understand.')];
    const answer = cuesOf(segments).find(({ speaker }) => speaker === 'SPEAKER_2');
    expect(answer).toMatchObject({ start: 4190, end: 5080, lines: ['SPEAKER_2: Yes, I understand.'] });
  });

  it('is right in every cue when two people talk at once for a long time', () => {
    const segments = [0, 3, 6, 9, 12].flatMap((start) => [
      say('SPEAKER_1', start, LONG),
      say('SPEAKER_2', start + 0.7, LONG.toUpperCase()),
    ]);
    expect(readSpeakers(segments)).toEqual(cuesOf(segments).map(({ speaker }) => speaker));
    const spoken = textsOf(segments)
      .join(' ')
      .replaceAll(/SPEAKER_\d: /g, '')
      .split(' ');
    expect(spoken.toSorted()).toEqual(segments.flatMap(({ text = '' }) => text.split(' ')).toSorted());
  });

  it('stands above a first word that is wider than a line', () => {
    const address = 'https://example.com/very/long/path/with/many/parts';
    const segments = [say('SPEAKER_1', 0, 'Look here.'), say('SPEAKER_2', 2, `${address} is it.`)];
    expect(textsOf(segments)).toEqual(['SPEAKER_1: Look here.', `SPEAKER_2: ${address}`, 'is it.']);
    for (const { start, end } of cuesOf(segments)) expect(end - start).toBeGreaterThan(200);
    expect(cuesOf(segments)[1]?.lines).toEqual(['SPEAKER_2:', address]);
  });

  it('stands beside the first word on the only line, shortened if need be', () => {
    const segments = [
      say('SPEAKER_1', 0, 'Good morning everybody.'),
      say('SPEAKER_2', 3, 'Nice to see you.'),
      say('SPEAKER_1', 6, 'Yes it is.'),
    ];
    const document = addNamedSpeakers(
      buildDocument(segments),
      'Professor Alexandra von Hohenstein-Meyer',
      'Bob',
    );
    const linesOf = (lineColumns: number) =>
      buildCues(document, { hasSpeakerLabels: true, layout: { lineColumns, maxLines: 1 } }).map(
        ({ lines }) => lines,
      );
    expect(linesOf(42)).toEqual([
      ['Professor Alexandra…: Good morning'],
      ['everybody.'],
      ['Bob: Nice to see you.'],
      ['Professor Alexandra…: Yes it is.'],
    ]);
    expect(linesOf(12).map(([line]) => line?.split(': ')[0])).toEqual([
      'Profe…',
      'morning',
      'everybody.',
      'Bob',
      'see you.',
      'Profe…',
      'it is.',
    ]);
  });

  it('is that of an unknown one after a known one', () => {
    const segments = [
      say(null, 0, 'Hello there.'),
      say('SPEAKER_1', 3, 'Do you owe him money?'),
      say(null, 6, 'Yes, ten thousand.'),
    ];
    expect(textsOf(segments)).toEqual([
      'Hello there.',
      'SPEAKER_1: Do you owe him money?',
      'Unknown speaker: Yes, ten thousand.',
    ]);
  });
});
