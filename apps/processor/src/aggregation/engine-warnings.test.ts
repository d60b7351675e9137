import { describe, expect, it } from 'vitest';
import { buildEngineWarnings } from './engine-warnings.js';

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
