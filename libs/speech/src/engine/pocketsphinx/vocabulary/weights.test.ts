import { expect, it } from 'vitest';
import { likelihoodOf, longEnough } from './weights.js';

it('makes a long term likelier than a short one', () => {
  const [short, middling, long] = ['K AY T', 'V ER S L', 'N AA K AA M UH R AH'].map(
    (sound) => likelihoodOf([sound], 0) ?? 0,
  );
  expect(short).toBeLessThan(middling ?? 0);
  expect(middling).toBeLessThan(long ?? 0);
});

it('goes by the shortest of several sounds', () => {
  expect(likelihoodOf(['N AA K AA M UH R AH', 'K AY T'], 0)).toBe(likelihoodOf(['K AY T'], 0));
});

it('adds nothing to a word that is likelier by itself', () => {
  expect(likelihoodOf(['P IY P AH L'], 0.01)).toBeNull();
});

it('does not listen for what is very short', () => {
  expect(longEnough(['AH S', 'Y UW EH S'])).toEqual(['Y UW EH S']);
  expect(likelihoodOf(longEnough(['K AY']), 0)).toBeNull();
});
