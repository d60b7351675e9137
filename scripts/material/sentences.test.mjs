import { describe, expect, it } from 'vitest';
import { SeededRandom } from './seeded-random.mjs';
import { PATTERNS, WORDS } from './phrases.mjs';
import { SentenceGenerator } from './sentences.mjs';

const HOUR_SENTENCE_COUNT = 900;

function makeSentences(seed, count) {
  const generator = new SentenceGenerator(new SeededRandom(seed));
  return Array.from({ length: count }, () => generator.makeSentence());
}

describe('generated sentences', () => {
  it('are equal for equal seeds and differ for others', () => {
    expect(makeSentences(7, 20)).toEqual(makeSentences(7, 20));
    expect(makeSentences(8, 20)).not.toEqual(makeSentences(7, 20));
  });

  it('do not repeat in an hour', () => {
    expect(new Set(makeSentences(1, HOUR_SENTENCE_COUNT)).size).toBe(HOUR_SENTENCE_COUNT);
  });

  it('have no gaps and end with punctuation', () => {
    for (const sentence of makeSentences(1, HOUR_SENTENCE_COUNT))
      expect(sentence).toMatch(/^[A-Z][A-Za-z ,]+[.?]$/);
  });

  it('are repeated when all have been used', () => {
    expect(makeSentences(1, 20_000).at(-1)).toMatch(/[.?]$/);
  });

  it('have words for every gap of the patterns', () => {
    const gaps = PATTERNS.flatMap((pattern) => [...pattern.matchAll(/\{(\w+)\}/g)].map(([, gap]) => gap));
    expect(new Set(gaps)).toEqual(new Set(Object.keys(WORDS)));
  });
});

describe('SeededRandom', () => {
  it('is uniform from 0 to below 1', () => {
    const random = new SeededRandom(3);
    const numbers = Array.from({ length: 10_000 }, () => random.next());
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    for (let tenth = 0; tenth < 10; tenth++) {
      const share = numbers.filter((number) => Math.floor(number * 10) === tenth).length;
      expect(Math.abs(share - 1000)).toBeLessThan(150);
    }
  });
});
