import { describe, expect, it } from 'vitest';
import { SeededRandom } from './seeded-random.mjs';
import { PATTERNS, WORDS } from './phrases.mjs';
import { SentenceMaker } from './sentences.mjs';

/** Sentences of an hour of dialogue. */
const MANY = 900;

function sentences(seed, count) {
  const maker = new SentenceMaker(new SeededRandom(seed));
  return Array.from({ length: count }, () => maker.sentence());
}

describe('sentences', () => {
  it('are the same with the same seed, and others with another', () => {
    expect(sentences(7, 20)).toEqual(sentences(7, 20));
    expect(sentences(8, 20)).not.toEqual(sentences(7, 20));
  });

  it('do not repeat in an hour', () => {
    expect(new Set(sentences(1, MANY)).size).toBe(MANY);
  });

  it('are filled and punctuated', () => {
    for (const sentence of sentences(1, MANY)) expect(sentence).toMatch(/^[A-Z][A-Za-z ,]+[.?]$/);
  });

  it('go on when all has been said', () => {
    expect(sentences(1, 20_000).at(-1)).toMatch(/[.?]$/);
  });

  it('have words for every gap', () => {
    const gaps = PATTERNS.flatMap((pattern) => [...pattern.matchAll(/\{(\w+)\}/g)].map(([, gap]) => gap));
    expect(new Set(gaps)).toEqual(new Set(Object.keys(WORDS)));
  });
});

describe('chance', () => {
  it('is even from 0 to below 1', () => {
    const chance = new SeededRandom(3);
    const numbers = Array.from({ length: 10_000 }, () => chance.next());
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    for (let tenth = 0; tenth < 10; tenth++) {
      const share = numbers.filter((number) => Math.floor(number * 10) === tenth).length;
      expect(Math.abs(share - 1000)).toBeLessThan(150);
    }
  });
});
