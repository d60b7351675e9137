import { describe, expect, it } from 'vitest';
import type { TranscriptionResponse } from './transcription-response.js';
import { convertTranscriptionDroppingHallucinations } from './recognized-words.js';
import {
  createResponse,
  createResponseWord,
  createSegment,
  listWordTexts,
  listWordTimes,
} from './testing/response-builders.js';

describe('a large response', () => {
  /** Words of 0.05 s, each with a segment, which count how often their start is read. */
  function build(count: number) {
    let reads = 0;
    const times = Array.from({ length: count }, (_, at) => at * 0.05);
    const segments = times.map((from) => ({
      text: 'word',
      end: from + 0.05,
      get start() {
        reads += 1;
        return from;
      },
    }));
    const words = times.map((from) => createResponseWord('word', from, from + 0.05));
    const response = createResponse({ text: words.map(({ word }) => word).join(' '), words, segments });
    return { response, countReads: () => reads };
  }

  it('no segment is looked at for each of the words', () => {
    const { response, countReads } = build(20_000);
    expect(convertTranscriptionDroppingHallucinations(response, 1000).words).toHaveLength(20_000);
    expect(countReads()).toBeLessThan(20 * 20_000);
  });

  it('lists of more words than a chunk can hold are not read, and the text stays', () => {
    const { response } = build(20_000);
    const { words, timesEstimated } = convertTranscriptionDroppingHallucinations(response, 30);
    expect([words.length, timesEstimated]).toEqual([20_000, true]);
    expect(words.at(-1)?.start).toBeLessThanOrEqual(30);
    const untitled = convertTranscriptionDroppingHallucinations({ ...response, text: '' }, 30);
    expect(untitled.words).toHaveLength(20_000);
  });
});

describe('segments of a response', () => {
  it('no word is lost when a segment ends after the audio, as those of Whisper do', () => {
    const segments = [createSegment('ab cd ef gh', 0, 30)];
    const converted = convertTranscriptionDroppingHallucinations(
      createResponse({ text: 'ab cd ef gh', segments }),
      8,
    );
    expect(converted.words.map(({ start, end }) => [start, end])).toEqual([
      [0, 2],
      [2, 4],
      [4, 6],
      [6, 8],
    ]);
    expect(converted.doubtedWords).toBe(0);
    const after = [createSegment('ab', 0, 8), createSegment('bye', 20, 30)];
    expect(listWordTexts(createResponse({ text: 'ab bye', segments: after }), 8)).toEqual(['ab']);
  });

  it('segments without times share the time between their neighbours', () => {
    const untimed = (text: string) => ({ text, start: null, end: null });
    const spread = (segments: object[]) =>
      listWordTimes(
        createResponse({ text: 'ab cd', segments: segments as TranscriptionResponse['segments'] }),
        8,
      );
    expect(spread([untimed('ab'), untimed('cd')])).toEqual([
      [0, 4],
      [4, 8],
    ]);
    expect(spread([untimed('ab'), createSegment('cd', 6, 8)])).toEqual([
      [0, 6],
      [6, 8],
    ]);
    expect(spread([{ text: 'ab', start: 1 }, createSegment('cd', 6, 8)])).toEqual([
      [1, 6],
      [6, 8],
    ]);
  });

  it('words of a segment within another one are placed in their own', () => {
    const segments = [
      createSegment('ab cd ef gh ij', 0, 10),
      createSegment('kl mn', 3, 5),
      createSegment('op', 10, 11),
    ];
    const times = listWordTimes(createResponse({ segments }), 12);
    expect([times[0]?.[0], times[4]?.[1]]).toEqual([0, 3]);
    expect(times.slice(5)).toEqual([
      [3, 4],
      [4, 5],
      [10, 11],
    ]);
  });

  it('words of a segment that overlaps a made-up one are kept', () => {
    const segments = [
      createSegment('said before it', 0, 5),
      createSegment('made up', 4, 8, { no_speech_prob: 0.9, avg_logprob: -1.5 }),
    ];
    const words = ['said', 'before', 'it'].map((word, at) => createResponseWord(word, at + 2, at + 2.9));
    const invented = [createResponseWord('made', 5.5, 6), createResponseWord('up', 6, 7)];
    const text = 'said before it made up';
    expect(listWordTexts(createResponse({ text, segments, words: [...words, ...invented] }))).toEqual([
      ...['said', 'before', 'it'],
    ]);
  });
});

describe('a single segment of a chunk', () => {
  const DURATION = 9.2;
  const text = 'Ja. Genau. Das Angebot haben wir Ihnen gestern geschickt, bitte sehen Sie es an.';
  const pieces = [
    { start: 0, end: 4.3 },
    { start: 4.9, end: 9.2 },
  ];
  const hasTimes = (start: number, end: number, speech = pieces) =>
    convertTranscriptionDroppingHallucinations(
      createResponse({ text, segments: [createSegment(text, start, end)] }),
      DURATION,
      speech,
    ).hasTimes;

  it.each([
    [0, 0],
    [0, 9_200],
    [0, 9.2e9],
    [400, 9_200],
    [0, 9.2],
  ])('from %d to %d does not say where its words are', (start, end) => {
    expect(hasTimes(start, end)).toBe(false);
    expect(hasTimes(start, end, [])).toBe(false);
  });

  it('says where its words are if it begins or ends within the chunk', () => {
    expect([hasTimes(0, 4.4), hasTimes(4.8, 9.2)]).toEqual([true, true]);
  });

  it('that is as long as a chunk of one utterance says nothing about the server', () => {
    expect(hasTimes(0, 9.2, [{ start: 0.2, end: 9 }])).toBeUndefined();
    expect(hasTimes(0, 0, [{ start: 0.2, end: 9 }])).toBe(false);
  });
});
