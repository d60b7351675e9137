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

  it('common words need a closer match', () => {
    const near = 'T AE SH W UH T';
    const far = 'T EH S W UH T';
    expect(findTermArcs([common(near)], terms)).toHaveLength(1);
    expect(findTermArcs([common(far)], terms)).toHaveLength(0);
    expect(findTermArcs([rare(far)], terms)).toHaveLength(1);
  });

  it('a common word is not replaced by a term that sounds exactly like it', () => {
    expect(findTermArcs([common('K OW L')], terms)).toEqual([]);
    expect(findTermArcs([common('K AA L')], terms)).toEqual([]);
    expect(findTermArcs([rare('K OW L')], terms)).toHaveLength(1);
  });

  it('returns one arc for each start of a term', () => {
    const words = [rare('D AE SH'), rare('W UH D'), rare('AH')];
    const starts = findTermArcs(words, terms).map(({ from, name }) => `${from} ${name}`);
    expect(new Set(starts).size).toBe(starts.length);
  });
});
