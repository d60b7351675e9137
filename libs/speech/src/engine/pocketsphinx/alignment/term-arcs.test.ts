import { describe, expect, it } from 'vitest';
import { soundDistance } from './sound-distance.js';
import { soundedTerms, termArcs } from './term-arcs.js';

const sounds = (text: string) => text.split(' ');
const rare = (text: string) => ({ sounds: [sounds(text)], usual: 0 });
const usual = (text: string) => ({ sounds: [sounds(text)], usual: 0.01 });

describe('soundDistance', () => {
  it('is none for the same, half for sounds that are alike, and whole for nothing in common', () => {
    expect(soundDistance(sounds('D AE SH'), sounds('D AE SH'))).toBe(0);
    expect(soundDistance(sounds('D AE SH'), sounds('T EH SH'))).toBeCloseTo(1 / 3);
    expect(soundDistance(sounds('D AE SH'), sounds('M L IY'))).toBe(1);
    expect(soundDistance([], [])).toBe(0);
  });

  it('says that what is farther than asked for has nothing in common', () => {
    expect(soundDistance(sounds('D AE SH W UH D'), sounds('D AE SH'), 0.4)).toBe(1);
    expect(soundDistance(sounds('B IH G'), sounds('K AE T'), 0.4)).toBe(1);
  });
});

describe('termArcs', () => {
  const terms = soundedTerms('term:0 D AE SH W UH D\nterm:1 K OW L\nterm:1(2) K AA L\n');

  it('finds terms over several words, by any of their sounds, the likeliest first', () => {
    const words = [rare('DH AH'), rare('D AE SH'), rare('W UH D'), rare('K AA R L')];
    const arcs = termArcs(words, terms);
    expect(arcs[0]).toEqual({ from: 1, to: 3, name: 'term:0', distance: 0 });
    expect(arcs.find(({ name }) => name === 'term:1')).toMatchObject({ from: 3, to: 4, distance: 0.25 });
  });

  it('wants more likeness of words that everybody says', () => {
    const near = 'T AE SH W UH T';
    const far = 'T EH S W UH T';
    expect(termArcs([usual(near)], terms)).toHaveLength(1);
    expect(termArcs([usual(far)], terms)).toHaveLength(0);
    expect(termArcs([rare(far)], terms)).toHaveLength(1);
  });

  it('has one way for each beginning of a term', () => {
    const words = [rare('D AE SH'), rare('W UH D'), rare('AH')];
    const starts = termArcs(words, terms).map(({ from, name }) => `${from} ${name}`);
    expect(new Set(starts).size).toBe(starts.length);
  });
});
