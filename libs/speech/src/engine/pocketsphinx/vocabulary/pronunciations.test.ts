import { expect, it } from 'vitest';
import { pronounceTerm } from './pronunciations.js';

it('pronunciations of a term are ordered by the sum of their ranks', () => {
  const sounds = pronounceTerm([
    ['AA', 'AE', 'AH', 'AO'],
    ['B', 'D', 'G'],
    ['S', 'Z', 'SH'],
  ]);
  expect(sounds.slice(0, 4)).toEqual(['AA B S', 'AE B S', 'AA D S', 'AA B Z']);
  expect(sounds).toHaveLength(8);
});

it('pronounceTerm handles a term of eight words', () => {
  const words = Array.from({ length: 8 }, () => ['AA', 'AE', 'AH']);
  expect(pronounceTerm(words)).toContain('AA AA AA AA AA AA AA AA');
});

it('a term with an unpronounceable word has no pronunciation', () => {
  expect(pronounceTerm([['AA'], []])).toEqual([]);
});
