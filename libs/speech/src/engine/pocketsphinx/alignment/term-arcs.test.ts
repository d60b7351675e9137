import { describe, expect, it } from 'vitest';
import { findTermArcs, parseTermDictionary, computePhoneDistance } from './term-arcs.js';

const phones = (text: string) => text.split(' ');
const rare = (text: string) => ({ pronunciations: [phones(text)], unigramProbability: 0 });
const common = (text: string) => ({ pronunciations: [phones(text)], unigramProbability: 0.01 });

describe('computePhoneDistance', () => {
  it('equal phones cost nothing, similar ones half, and different ones the maximum', () => {
    expect(computePhoneDistance(phones('D AE SH'), phones('D AE SH'))).toBe(0);
    expect(computePhoneDistance(phones('D AE SH'), phones('T EH SH'))).toBeCloseTo(1 / 3);
    expect(computePhoneDistance(phones('D AE SH'), phones('M L IY'))).toBe(1);
    expect(computePhoneDistance([], [])).toBe(0);
  });

  it('a distance above the limit is reported as the maximum', () => {
    expect(computePhoneDistance(phones('D AE SH W UH D'), phones('D AE SH'), 0.4)).toBe(1);
    expect(computePhoneDistance(phones('B IH G'), phones('K AE T'), 0.4)).toBe(1);
  });
});

describe('findTermArcs', () => {
  const terms = parseTermDictionary('term:0 D AE SH W UH D\nterm:1 K OW L\nterm:1(2) K AA L\n');

  it('finds terms that span several words by any pronunciation, the likeliest first', () => {
    const words = [rare('DH AH'), rare('D AE SH'), rare('W UH D'), rare('K AA R L')];
    const arcs = findTermArcs(words, terms);
    expect(arcs[0]).toEqual({ from: 1, to: 3, name: 'term:0', distance: 0 });
    expect(arcs.find(({ name }) => name === 'term:1')).toMatchObject({ from: 3, to: 4, distance: 0.25 });
  });

  it('a common word is never replaced, however like a term it sounds', () => {
    for (const text of ['K OW L', 'K AA L', 'T AE SH W UH T', 'D AE SH W UH D']) {
      expect(findTermArcs([common(text)], terms), text).toEqual([]);
      expect(findTermArcs([rare(text)], terms), text).toHaveLength(1);
    }
    const beside = findTermArcs([common('D AE SH'), rare('W UH D'), common('K OW L')], terms);
    expect(beside.filter(({ from, to }) => from !== 1 || to !== 2)).toEqual([]);
  });

  it('returns one arc for each start of a term', () => {
    const words = [rare('D AE SH'), rare('W UH D'), rare('AH')];
    const starts = findTermArcs(words, terms).map(({ from, name }) => `${from} ${name}`);
    expect(new Set(starts).size).toBe(starts.length);
  });
});
