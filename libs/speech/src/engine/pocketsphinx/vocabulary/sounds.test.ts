import { expect, it } from 'vitest';
import { soundsOfTerm } from './sounds.js';

it('has the first sounds of a term first, and the second of each word before the last of any', () => {
  const sounds = soundsOfTerm([
    ['AA', 'AE', 'AH', 'AO'],
    ['B', 'D', 'G'],
    ['S', 'Z', 'SH'],
  ]);
  expect(sounds.slice(0, 4)).toEqual(['AA B S', 'AE B S', 'AA D S', 'AA B Z']);
  expect(sounds).toHaveLength(8);
});

it('has one sound that is kept for each of eight words', () => {
  const words = Array.from({ length: 8 }, () => ['AA', 'AE', 'AH']);
  expect(soundsOfTerm(words)).toContain('AA AA AA AA AA AA AA AA');
});

it('cannot say a term of which a word cannot be said', () => {
  expect(soundsOfTerm([['AA'], []])).toEqual([]);
});
