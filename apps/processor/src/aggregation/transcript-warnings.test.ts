import { describe, expect, it } from 'vitest';
import {
  buildAudioFileWarnings,
  buildEngineWarnings,
  buildSpeakerCountWarnings,
  buildVocabularyWarnings,
} from './transcript-warnings.js';

const asDeclared = {
  declaredSize: 100,
  storedSize: 100,
  declaredSeconds: null,
  damagedSeconds: null,
  multichannel: false,
};
const AUTOMATIC = { multichannel: 'auto' as const };

describe('buildAudioFileWarnings', () => {
  it('reports how many of the declared bytes were uploaded', () => {
    expect(
      buildAudioFileWarnings(
        { ...asDeclared, declaredSize: 34_560_078, storedSize: 12_582_912 },
        5,
        AUTOMATIC,
      ),
    ).toEqual([
      {
        code: 'upload_smaller_than_declared',
        message: '12582912 of 34560078 declared bytes were uploaded.',
        segment_id: null,
      },
    ]);
  });

  it('reports how much of the declared duration could be decoded', () => {
    expect(buildAudioFileWarnings({ ...asDeclared, declaredSeconds: 2.99 }, 1.4704, AUTOMATIC)).toEqual([
      {
        code: 'audio_truncated',
        message: 'The file declares a length of 2.99 s; 1.47 s of audio could be decoded.',
        segment_id: null,
      },
    ]);
  });

  it('reports how much of the file could not be decoded', () => {
    expect(buildAudioFileWarnings({ ...asDeclared, damagedSeconds: 22.714 }, 74, AUTOMATIC)).toEqual([
      {
        code: 'audio_damaged',
        message: '22.71 s within the file could not be decoded. They count as silence.',
        segment_id: null,
      },
    ]);
  });

  it('returns no warning when at least the declared size arrived, or no size was declared', () => {
    for (const more of [
      {},
      { storedSize: 101 },
      { declaredSize: null },
      { declaredSize: null, storedSize: null },
    ])
      expect(buildAudioFileWarnings({ ...asDeclared, ...more }, 5, AUTOMATIC)).toEqual([]);
  });

  it('does not say that a recording has one channel, as it may have more than two', () => {
    expect(buildAudioFileWarnings(asDeclared, 5, { multichannel: true })).toEqual([
      {
        code: 'single_channel',
        message:
          'No channels were transcribed apart: that takes a recording of two channels, and this one has fewer or more.',
        segment_id: null,
      },
    ]);
  });

  it('reports a recording of one channel whose channels should be transcribed apart', () => {
    const codesOf = (multichannel: boolean | 'auto', apart: boolean | null) =>
      buildAudioFileWarnings({ ...asDeclared, multichannel: apart }, 5, { multichannel }).map(
        ({ code }) => code,
      );
    expect(codesOf(true, false)).toEqual(['single_channel']);
    for (const [option, apart] of [
      [true, true],
      [true, null],
      ['auto', false],
      [false, false],
    ] as const)
      expect(codesOf(option, apart)).toEqual([]);
  });
});

const codes = (wanted: boolean, chunks: Parameters<typeof buildEngineWarnings>[1]) =>
  buildEngineWarnings({ word_timestamps: wanted }, chunks).map(({ code }) => code);

describe('buildEngineWarnings', () => {
  it('warns once about estimated word times, and only when word times are requested', () => {
    const chunks = [{ timesEstimated: true }, { timesEstimated: true }, {}];
    expect(codes(true, chunks)).toEqual(['word_times_estimated']);
    expect(codes(false, chunks)).toEqual([]);
  });

  it('sums the low-confidence words of all chunks in one warning', () => {
    const [warning, ...more] = buildEngineWarnings({ word_timestamps: true }, [
      { doubtedWords: 2 },
      {},
      { doubtedWords: 3 },
    ]);
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ code: 'text_doubted', message: expect.stringContaining('5 words') });
  });

  it('returns no warnings when no chunk reports a problem', () => {
    expect(codes(true, [{}, { timesEstimated: false, doubtedWords: 0 }])).toEqual([]);
  });
});

const warnings = (terms: string[] | null, vocabulary: boolean, unused: (number | undefined)[] = []) =>
  buildVocabularyWarnings(
    { custom_vocabulary: terms },
    { vocabulary },
    unused.map((unusedTerms) => (unusedTerms === undefined ? {} : { unusedTerms })),
  );

describe('buildVocabularyWarnings', () => {
  it('warns when the engine does not support a custom vocabulary', () => {
    expect(warnings(['Dashwood'], false).map(({ code }) => code)).toEqual(['vocabulary_unavailable']);
  });

  it('reports the number of unused terms once for all chunks', () => {
    const [warning, ...more] = warnings(['Dashwood', '風', '水'], true, [undefined, 2, 2]);
    expect(more).toEqual([]);
    expect(warning?.code).toBe('vocabulary_partial');
    expect(warning?.message).toContain('2 of 3');
  });

  it('names the languages as the reason when no terms are searched for in them', () => {
    const messageFor = (...chunks: Parameters<typeof buildVocabularyWarnings>[2]) =>
      buildVocabularyWarnings({ custom_vocabulary: ['風', '水'] }, { vocabulary: true }, chunks).map(
        ({ code, message }) => `${code}: ${message}`,
      );
    const notIn = (...languages: (string | null)[]) => ({
      unusedTerms: 2,
      languagesWithoutVocabulary: languages,
    });
    const start =
      'vocabulary_partial: 2 of 2 terms of the custom vocabulary were not used: the engine does not take them, and words are not corrected in';
    expect(messageFor(notIn('ja'), {}, notIn('ja'))).toEqual([`${start} Japanese.`]);
    expect(messageFor(notIn('ja'), notIn('th', 'zh-CN'))).toEqual([
      `${start} Japanese, Thai, and Chinese (China).`,
    ]);
    expect(messageFor(notIn(null))).toEqual([`${start} an unknown language.`]);
    expect(messageFor(notIn('no tag'))).toEqual([`${start} no tag.`]);
    expect(messageFor({ ...notIn('ja'), unusedTerms: 1 }, { unusedTerms: 2 })).toEqual([
      'vocabulary_partial: 2 of 2 terms of the custom vocabulary were not used: the engine does not know their pronunciation, or they are too long or too many for it.',
    ]);
    expect(messageFor({ ...notIn('ja'), unusedTerms: 0 })).toEqual([]);
  });

  it('returns no warning when there are no terms or the engine uses all of them', () => {
    expect([
      warnings(null, false),
      warnings([], false),
      warnings(['Dashwood'], true),
      warnings(['Dashwood'], true, [0, undefined]),
    ]).toEqual([[], [], [], []]);
  });
});

describe('buildSpeakerCountWarnings', () => {
  const countWarnings = (
    options: Partial<Parameters<typeof buildSpeakerCountWarnings>[0]>,
    found: number,
  ): string[] =>
    buildSpeakerCountWarnings(
      { num_speakers: null, min_speakers: null, max_speakers: null, ...options },
      found,
    ).map(({ code, message }) => `${code}: ${message}`);

  it('reports that the recording has not as many speakers as the options say', () => {
    expect(countWarnings({ num_speakers: 30 }, 6)).toEqual([
      'speaker_count: num_speakers is 30, but 6 speakers were found.',
    ]);
    expect(countWarnings({ min_speakers: 3, max_speakers: 4 }, 1)).toEqual([
      'speaker_count: min_speakers is 3, but 1 speaker was found.',
    ]);
    expect(countWarnings({ num_speakers: 1 }, 2)).toEqual([
      'speaker_count: num_speakers is 1, but 2 speakers were found.',
    ]);
    expect(countWarnings({ max_speakers: 1 }, 2)).toEqual([
      'speaker_count: max_speakers is 1, but 2 speakers were found.',
    ]);
  });

  it('returns no warning within the limits, without limits, or if no speakers were found', () => {
    expect([
      countWarnings({ num_speakers: 2 }, 2),
      countWarnings({ min_speakers: 2, max_speakers: 3 }, 3),
      countWarnings({}, 7),
      countWarnings({ num_speakers: 2 }, 0),
    ]).toEqual([[], [], [], []]);
  });
});
