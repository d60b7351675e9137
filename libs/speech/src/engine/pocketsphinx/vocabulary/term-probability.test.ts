import { expect, it } from 'vitest';
import { termProbability, dropShortPronunciations } from './term-probability.js';

it('a long term has a higher probability than a short one', () => {
  const [short, middling, long] = ['K AY T', 'V ER S L', 'N AA K AA M UH R AH'].map(
    (sound) => termProbability([sound], 0) ?? 0,
  );
  expect(short).toBeLessThan(middling ?? 0);
  expect(middling).toBeLessThan(long ?? 0);
});

it('the shortest pronunciation decides the probability', () => {
  expect(termProbability(['N AA K AA M UH R AH', 'K AY T'], 0)).toBe(termProbability(['K AY T'], 0));
});

it('a word that is likelier in the language model gets no probability', () => {
  expect(termProbability(['P IY P AH L'], 0.01)).toBeNull();
});

it('very short pronunciations are dropped', () => {
  expect(dropShortPronunciations(['AH S', 'Y UW EH S'])).toEqual(['Y UW EH S']);
  expect(termProbability(dropShortPronunciations(['K AY']), 0)).toBeNull();
});
