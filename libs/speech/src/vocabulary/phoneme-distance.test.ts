import { describe, expect, it } from 'vitest';
import { parsePhonemes } from './phoneme-distance.js';
import { computePhonemeDistance } from './testing/compute-phoneme-distance.js';

const distance = (one: string, other: string) =>
  computePhonemeDistance(parsePhonemes(one), parsePhonemes(other));

describe('parsePhonemes', () => {
  it('keeps the letters of the sounds alone', () => {
    expect(parsePhonemes('k_j_ˈuː_b_ɚ_n_ˌiː_t_s').join('')).toBe('kjubəɹnits');
    expect(parsePhonemes('(en)_b_l_ˈuː_(de) h_ˈa').join('')).toBe('bluha');
    expect(parsePhonemes('m_ɔ̃_tʲ_5').join('')).toBe('mɔt');
    expect(parsePhonemes(' ')).toEqual([]);
  });
});

describe('computePhonemeDistance', () => {
  it('is 0 for the same sounds and for nothing', () => {
    expect(distance('kovaltʃɨk', 'kovaltʃɨk')).toBe(0);
    expect(distance('', '')).toBe(0);
  });

  it('is a share of the longer one', () => {
    expect(distance('tata', 'tatx')).toBeCloseTo(1 / 4);
    expect(distance('tatatata', 'tatatatx')).toBeCloseTo(1 / 8);
    expect(distance('', 'tat')).toBe(1);
  });

  it('is smaller for sounds that are alike', () => {
    expect(distance('bat', 'pat')).toBeLessThan(distance('bat', 'mat'));
    expect(distance('pɪt', 'pit')).toBeLessThan(distance('pɑt', 'pit'));
    expect(distance('katə', 'kat')).toBeLessThan(distance('kats', 'kat'));
  });

  it('does not depend on the order of its arguments', () => {
    for (const [one, other] of [
      ['kjubənits', 'kubərnɛtɪs'],
      ['abc', 'xbcd'],
    ] as const)
      expect(distance(one, other)).toBeCloseTo(distance(other, one));
  });

  it('is the same below a limit, and above the limit otherwise', () => {
    const [one, other] = [parsePhonemes('ozɛmpik'), parsePhonemes('osɛmpɪk')];
    const exact = computePhonemeDistance(one, other);
    expect(computePhonemeDistance(one, other, exact + 0.01)).toBe(exact);
    expect(computePhonemeDistance(one, parsePhonemes('mɪlɚ'), 0.3)).toBeGreaterThan(0.3);
  });
});
