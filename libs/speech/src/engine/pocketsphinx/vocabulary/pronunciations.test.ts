import { expect, it } from 'vitest';
import {
  dropShortPronunciations,
  combineTermPronunciations,
  chooseTermProbabilityByPhoneCount,
} from './pronunciations.js';

it('pronunciations of a term are ordered by the sum of their ranks', () => {
  const pronunciations = combineTermPronunciations([
    ['AA', 'AE', 'AH', 'AO'],
    ['B', 'D', 'G'],
    ['S', 'Z', 'SH'],
  ]);
  expect(pronunciations.slice(0, 4)).toEqual(['AA B S', 'AE B S', 'AA D S', 'AA B Z']);
  expect(pronunciations).toHaveLength(8);
});

it('combineTermPronunciations handles a term of eight words', () => {
  const words = Array.from({ length: 8 }, () => ['AA', 'AE', 'AH']);
  expect(combineTermPronunciations(words)).toContain('AA AA AA AA AA AA AA AA');
});

it('a term with an unpronounceable word has no pronunciation', () => {
  expect(combineTermPronunciations([['AA'], []])).toEqual([]);
});

it('a long term has a higher probability than a short one', () => {
  const [short, middling, long] = ['K AY T', 'V ER S L', 'N AA K AA M UH R AH'].map(
    (sound) => chooseTermProbabilityByPhoneCount([sound], 0) ?? 0,
  );
  expect(short).toBeLessThan(middling ?? 0);
  expect(middling).toBeLessThan(long ?? 0);
});

it('the shortest pronunciation decides the probability', () => {
  expect(chooseTermProbabilityByPhoneCount(['N AA K AA M UH R AH', 'K AY T'], 0)).toBe(
    chooseTermProbabilityByPhoneCount(['K AY T'], 0),
  );
});

it('a word that is likelier in the language model gets no probability', () => {
  expect(chooseTermProbabilityByPhoneCount(['P IY P AH L'], 0.01)).toBeNull();
});

it('very short pronunciations are dropped', () => {
  expect(dropShortPronunciations(['AH S', 'Y UW EH S'])).toEqual(['Y UW EH S']);
  expect(chooseTermProbabilityByPhoneCount(dropShortPronunciations(['K AY']), 0)).toBeNull();
});
