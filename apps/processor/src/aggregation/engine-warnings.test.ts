import { describe, expect, it } from 'vitest';
import { buildEngineWarnings } from './engine-warnings.js';

const codes = (wanted: boolean, chunks: Parameters<typeof buildEngineWarnings>[1]) =>
  buildEngineWarnings({ word_timestamps: wanted }, chunks).map(({ code }) => code);

describe('engineWarnings', () => {
  it('tells once that times are estimated, to those who want times', () => {
    const chunks = [{ timesEstimated: true }, { timesEstimated: true }, {}];
    expect(codes(true, chunks)).toEqual(['word_times_estimated']);
    expect(codes(false, chunks)).toEqual([]);
  });

  it('counts the words that the engine doubted', () => {
    const [warning, ...more] = buildEngineWarnings({ word_timestamps: true }, [
      { doubtedWords: 2 },
      {},
      { doubtedWords: 3 },
    ]);
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ code: 'text_doubted', message: expect.stringContaining('5 words') });
  });

  it('is silent when there is nothing to tell', () => {
    expect(codes(true, [{}, { timesEstimated: false, doubtedWords: 0 }])).toEqual([]);
  });
});
