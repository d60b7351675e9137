import { describe, expect, it } from 'vitest';
import { estimateSentencePauseSeconds, DEFAULT_SENTENCE_PAUSE_SECONDS } from './sentence-pause.js';

const pauses = (length: number, count = 20) => Array.from({ length: count }, () => length);

describe('estimateSentencePauseSeconds', () => {
  it('follows the pauses of the speaker', () => {
    expect(estimateSentencePauseSeconds(pauses(0.5))).toBeCloseTo(0.6);
    expect(estimateSentencePauseSeconds(pauses(0.35))).toBeCloseTo(0.42);
  });

  it('stays within its limits', () => {
    expect(estimateSentencePauseSeconds(pauses(2))).toBe(0.9);
    expect(estimateSentencePauseSeconds(pauses(0.12))).toBe(0.3);
  });

  it('is the default when few pauses are known, and ignores very short and very long ones', () => {
    expect(estimateSentencePauseSeconds([])).toBe(DEFAULT_SENTENCE_PAUSE_SECONDS);
    expect(estimateSentencePauseSeconds(pauses(0.3, 11))).toBe(DEFAULT_SENTENCE_PAUSE_SECONDS);
    expect(estimateSentencePauseSeconds([...pauses(0.3, 11), ...pauses(0.02), ...pauses(60)])).toBe(
      DEFAULT_SENTENCE_PAUSE_SECONDS,
    );
  });
});
